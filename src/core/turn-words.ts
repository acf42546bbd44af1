/** What a session is told when its turn would end without a decision. */

export function blockedWords(count: number): string {
  return `Before you end this turn, offer the people you work for a decision: what should happen next?

  oj decision request --prompt "…" --option "label: description" --option "…" --recommend 1 --context "what they need to know"

1 to 4 options; oj decision templates shows the shapes this project knows. Add --wait if you can't go on without the answer. Else end your turn after it: the answer comes to you when you go on. (${count} of 3)`;
}

export const OVERRIDDEN =
  "oj: this turn ended without a decision being offered, after three reminders (recorded as session:overridden).";

export const UNOFFERED = "oj: this turn ended without a decision being offered.";
