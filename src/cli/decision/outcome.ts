/** What an answer brought about, in words: for `resolve` and `review`. */
import type { DecisionView, OptionView } from "../../api.ts";
import type { Style } from "../command.ts";
import { safeLine } from "../safe.ts";
import { answerWords, deliveryWords } from "./words.ts";

export function outcomeLines(decision: DecisionView, option: OptionView | null, style: Style): string[] {
  const verb = decision.state === "dismissed" ? "dismissed" : "answered";
  const message = decision.answer?.message ? `  "${safeLine(decision.answer.message)}"` : "";
  const delivery = deliveryWords(decision);
  return [
    `${style.green("✓")} ${decision.id} ${verb}: ${style.bold(answerWords(decision))}${message}`,
    ...(option && option.effect !== "" ? [`  ${safeLine(option.effect)}`] : []),
    ...(delivery === null || decision.delivery.state === "none" ? [] : [`  ${delivery}`]),
  ];
}
