/** What an answer brought about, in words: for `resolve` and `review`. */
import type { DecisionView, OptionView } from "../../api.ts";
import type { Context, Style } from "../command.ts";
import { safeLine } from "../safe.ts";
import { answerWords, deliveryWords } from "./words.ts";

/** Time in which an answer reaches somebody who waits for it. */
const ARRIVES_WITHIN_MS = 150;

/** The decision as it is when whoever waits has had a moment to take the answer: so that a person sees it arrive. */
export async function afterDelivery(
  { client, out, json }: Context,
  decision: DecisionView,
): Promise<DecisionView> {
  if (decision.delivery.state !== "owed" || !out.isTerminal || json) return decision;
  await new Promise((resolve) => setTimeout(resolve, ARRIVES_WITHIN_MS));
  return client.decision(decision.id).catch(() => decision);
}

export function outcomeLines(decision: DecisionView, option: OptionView | null, style: Style): string[] {
  const verb = decision.state === "dismissed" ? "dismissed" : "answered";
  const message = decision.answer?.message ? `  "${safeLine(decision.answer.message)}"` : "";
  const delivery = deliveryWords(decision);
  return [
    `${style.green("✓")} ${decision.id} ${verb}: ${style.bold(answerWords(decision))}${message}`,
    ...(option && option.effect !== "" ? [`  ${safeLine(option.effect)}`] : []),
    ...(decision.aftermath === null ? [] : [`  ${safeLine(decision.aftermath)}`]),
    ...(delivery === null || decision.delivery.state === "none" ? [] : [`  ${delivery}`]),
  ];
}
