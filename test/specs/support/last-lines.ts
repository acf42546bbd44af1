/** The part of a card that shows an agent's terminal. */
import assert from "node:assert/strict";

const HEAD = "The last lines of its output:";

/** Whether the card has it, and then with this: a card does not wait for a terminal that hangs just then. */
export function showsLastLines({ context }: { context: string }, expected: RegExp): boolean {
  const [, lines] = context.split(HEAD);
  if (lines === undefined) return false;
  assert.match(lines, expected);
  return true;
}
