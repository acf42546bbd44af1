/** What a session is told when its turn would end without a decision. */

export function blockedWords(count: number): string {
  return `Before you end this turn, offer the people you work for a decision: what should happen next?

  oj decision request --prompt "…" --option "label: description" --option "…" --recommend 1 --context "what they need to know"

Give 1 to 4 options; oj decision templates lists this project's templates. Add --wait if you can't continue without the answer. Otherwise end your turn after it: the answer reaches you when you continue. (${count} of 3)`;
}

export const OVERRIDDEN =
  "oj: this turn ended without a decision being offered, after three reminders (recorded as session:overridden).";

export const UNOFFERED = "oj: this turn ended without a decision being offered.";
