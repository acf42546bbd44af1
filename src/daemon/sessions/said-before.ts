/** Reads what a session said before a call that it asks about. The client writes it down a moment after it reports. */
import type { SessionDoor } from "../../agents/session-door.ts";
import type { Prompt } from "../../core/model/agent-types.ts";
import type { Ports } from "../../ports.ts";
import { endOf } from "../agents/conversation/file-parts.ts";

const KEPT_BYTES = 512 * 1024;
const WRITTEN_MS = 100;
const MOST_LOOKS = 5;
const MOST_CHARACTERS = 4000;

/** Empty if there is no file, or if it does not have the call in time: older words would be about something else. */
export async function saidBefore(
  { clock }: Pick<Ports, "clock">,
  door: SessionDoor,
  prompt: Prompt,
  transcript: string | null,
): Promise<string> {
  if (transcript === null) return "";
  for (let n = 1; ; n++) {
    const said = door.saidBefore(prompt, await endOf(transcript, KEPT_BYTES));
    if (said !== null || n === MOST_LOOKS) return (said ?? "").slice(-MOST_CHARACTERS);
    await new Promise<void>((resolve) => clock.after(WRITTEN_MS, resolve));
  }
}
