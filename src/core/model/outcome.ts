/** How a decision ended, as people look for it: by what was decided, not only by its state. */
import type { Decision } from "./decision-types.ts";

export const OUTCOMES = [
  "answered",
  "approved",
  "denied",
  "cancelled",
  "dismissed",
  "withdrawn",
  "superseded",
  "expired",
  "pending",
] as const;
export type Outcome = (typeof OUTCOMES)[number];

type Ended = Pick<Decision, "state" | "answer" | "options">;

/** The most precise word: an approval is "approved", any other answer "answered". */
export function outcomeOf({ state, answer, options }: Ended): Outcome {
  if (state !== "resolved") return state;
  const action = answer?.chosen == null ? undefined : options[answer.chosen - 1]?.action;
  switch (action?.type) {
    case "approve":
    case "accept":
      return "approved";
    case "deny":
      return "denied";
    case "cancel":
      return "cancelled";
    default:
      return "answered";
  }
}

/** "answered" is asked for as a whole: it includes what was approved, denied or cancelled by an answer. */
export function isOutcome(it: { state: Decision["state"]; outcome: Outcome }, wanted: Outcome): boolean {
  return wanted === "answered" ? it.state === "resolved" : it.outcome === wanted;
}
