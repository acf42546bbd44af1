/**
 * Reads what an agent said last. Hooks report that only at the end of a turn; the file that keeps the conversation has
 * it sooner.
 */
import type { AgentClient } from "../../../agents/client.ts";
import type { Agent } from "../../../core/model/agent-types.ts";
import type { Ports } from "../../../ports.ts";
import { endOf } from "./file-parts.ts";

const KEPT_BYTES = 512 * 1024;
/** The client writes its file a moment after it reports. */
const WRITTEN_MS = 100;
const MOST_LOOKS = 5;
const MOST_CHARACTERS = 4000;

/**
 * Empty if there is no file. `call` is the tool call that the agent asks about; in the file it comes after what the
 * agent said before it.
 */
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
