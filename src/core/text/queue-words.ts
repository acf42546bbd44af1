/** What was taken from a queue, as one text for a model to read. */
import type { Drain, Entry } from "../model/queue-types.ts";

export function drainWords({ entries, left_out }: Drain, waiting: number): string {
  if (entries.length === 0) return "";
  const count = entries.length === 1 ? "A message" : `${entries.length} messages`;
  const parts = [`${count} from oj (oddjobs):`, ...entries.map(entryWords)];
  const rest = [
    left_out > 0 && `${left_out} older ${left_out === 1 ? "message was" : "messages were"} left out`,
    waiting > 0 && `${waiting} more ${waiting === 1 ? "comes" : "come"} with your next step`,
  ].filter((it) => it !== false);
  return [...parts, ...(rest.length > 0 ? [`(${rest.join("; ")})`] : [])].join("\n\n");
}

function entryWords({ kind, from, text }: Entry): string {
  if (kind === "answer") return `[answer] ${text}`;
  return kind === "reminder" ? `[reminder] ${text}` : `[message from ${from}] ${text}`;
}
