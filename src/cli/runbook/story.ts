/** A timeline in virtual time, as lines. */
import { formatDuration } from "../../core/text/duration.ts";
import { hang, pad } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import type { StoryLine } from "../../trial/main.ts";
import type { Output } from "../base/command.ts";
import { card } from "../card/card.ts";

/** With `cards`, each decision is shown as whoever answers would see it. */
export function storyLines(
  timeline: readonly StoryLine[],
  { style, width }: Pick<Output, "style" | "width">,
  cards: boolean,
): string[] {
  const times = timeline.map((it) => formatDuration(it.at_ms));
  const left = Math.max(0, ...times.map((it) => it.length));
  return timeline.flatMap(({ text, decision }, n) => {
    const same = n > 0 && times[n] === times[n - 1];
    const time = style.dim(pad(same ? "" : (times[n] ?? ""), left));
    const isShown = cards && decision !== undefined; // its card has the title
    const lines = hang(`  ${time}  `, isShown ? "asked" : safeLine(text), width);
    if (!isShown) return lines;
    const shown = card(decision, { style, width: width - left - 6, now: decision.created_at_ms });
    return [...lines, "", ...shown.split("\n").map((it) => `${" ".repeat(left + 4)}${it}`.trimEnd()), ""];
  });
}
