/** What became of a decision, in one or two lines, for whoever was asked. */
import type { DecisionView } from "../../api/api.ts";
import { claimWords } from "../../inbox/card/waits.ts";
import { answerWords, deliveryWords, standing } from "../../inbox/card/words.ts";
import { safeLine } from "../../text/safe.ts";

export function newsOf(decision: DecisionView, now: number): string {
  const { answer, state, held } = decision;
  const claim = held === null ? claimWords(decision, now) : null;
  if (claim !== null) return claim;
  if (answer === null || state === "expired") return standing(decision, now);
  const words = state === "dismissed" ? "Dismissed" : "Answered";
  const what = state === "dismissed" ? "" : `: ${answerWords(decision)}`;
  const delivery = deliveryWords(decision);
  return [`${words} by ${safeLine(answer.by)}${what}`, delivery].filter((it) => it !== null).join("\n");
}
