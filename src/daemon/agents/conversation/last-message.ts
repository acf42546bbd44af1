/** What an agent said last. Its hooks tell that only when its turn has ended; the file that keeps its conversation tells it sooner. */
import type { AgentClient } from "../../../agents/client.ts";
import type { Agent } from "../../../core/model/agent-types.ts";
import type { Ports } from "../../../ports.ts";
import { endOf } from "./file-parts.ts";

const KEPT_BYTES = 512 * 1024;
/** The client writes its file a moment later than it reports. */
const WRITTEN_MS = 100;
const MOST_LOOKS = 5;
const MOST_CHARACTERS = 4000;

/** Nothing where no file tells. `call`: what it asks about, which stands in the file behind what it said before. */
export async function lastMessageOf(
  { clock }: Pick<Ports, "clock">,
  { transcript }: Agent,
  client: AgentClient,
  call: string | null,
): Promise<string> {
  if (transcript === null) return "";
  for (let n = 1; ; n++) {
    const { open, last_message } = client.kept(await endOf(transcript, KEPT_BYTES), []);
    const isThere = call === null || !client.writesCalls || open.some((it) => it.key === call);
    if (isThere || n === MOST_LOOKS) return clipped(last_message);
    await new Promise<void>((resolve) => clock.after(WRITTEN_MS, resolve));
  }
}

function clipped(text: string): string {
  return text.length > MOST_CHARACTERS ? `…${text.slice(-MOST_CHARACTERS)}` : text;
}
