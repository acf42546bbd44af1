/** The part of a card that shows an agent's terminal. */
import assert from "node:assert/strict";

/** Null if the card has no such part, or says that the terminal hung just then: it does not wait for it. */
export function lastLinesOf(context: string): string | null {
  const lines = context.split("\nThe last lines of its output:\n")[1] ?? null;
  return lines?.startsWith("(oj could not read them") ? null : lines;
}

/** Whether the card has that part; if so, it must contain this. */
export function showsLastLines({ context }: { context: string }, expected: RegExp): boolean {
  const lines = lastLinesOf(context);
  if (lines === null) return false;
  assert.match(lines, expected);
  return true;
}
