/** The whole text of the decision in focus, on the whole screen: nothing cut, nothing folded. */
import type { DecisionView } from "../../api/api.ts";
import { choicesOf } from "../../inbox/answer.ts";
import { wrap } from "../../text/layout.ts";
import { safe, safeLine } from "../../text/safe.ts";
import { optionList } from "../card/options.ts";
import { wholeOf } from "./body.ts";
import type { Area, Look, Pane } from "./pane.ts";
import { clip, scrolled } from "./pane.ts";

export function wholePane(decision: DecisionView, { width, height }: Area, scroll: number, look: Look): Pane {
  const fence = { style: look.style, width };
  const places = choicesOf(decision);
  const options =
    places.length > 1
      ? places.slice(0, -1).flatMap((it) => ["", ...wrap(safe(it.title ?? ""), width), ...labels(it.options)])
      : optionList(decision, fence);
  const { first, all } = wholeOf(decision, width, look);
  const lines = [...all, "", ...options.map((it) => clip(it, width))];
  const { shown, from, most, step } = scrolled(lines, height, scroll);
  // of several questions, each is seen where it is answered
  const sight =
    decision.questions.length > 1
      ? null
      : { ids: [decision.id], lines: first, from, to: from + height, isWhole: true as const, isCut: false };
  return { lines: shown, most, step, sight };
}

function labels(options: readonly { number: number; label: string; description: string | null }[]): string[] {
  return options.map(
    (it) => `  ${it.number}  ${safeLine(it.label)}${it.description ? `  ${safeLine(it.description)}` : ""}`,
  );
}
