/** Several decisions in one short message: those that wait come first, and what is settled says so. */
import { isOpen } from "../../core/model/face.ts";
import { loudnessOf } from "../../inbox/card/waits.ts";
import { count } from "../../inbox/card/words.ts";
import { safeLine } from "../../text/safe.ts";
import type { Listed } from "./ask.ts";
import { cut } from "./matter.ts";
import { newsOf } from "./news.ts";

/** The first line: how many still wait. */
export function digestHeading(all: readonly Listed[]): string {
  const waiting = all.filter((it) => isOpen(it.decision)).length;
  if (waiting === 0) return `${count(all.length, "decision")} settled`;
  return waitingWords(waiting);
}

/** "1 decision waits for you", "3 decisions wait for you". */
export function waitingWords(number: number): string {
  return `${count(number, "decision")} ${number === 1 ? "waits" : "wait"} for you`;
}

/** A line each, and how many more there are. */
export function digestLines(
  all: readonly Listed[],
  { most, longest, now }: { most: number; longest: number; now: number },
): string[] {
  const sorted = [...all].sort((a, b) => Number(isOpen(b.decision)) - Number(isOpen(a.decision)));
  const lines = sorted.slice(0, most).map((it) => cut(lineOf(it, now), longest));
  return all.length > most ? [...lines, `and ${all.length - most} more`] : lines;
}

function lineOf({ decision, card }: Listed, now: number): string {
  const title = safeLine(card.title);
  if (!isOpen(decision)) return `✓ ${title}: ${newsOf(decision, now).split("\n")[0]}`;
  const claimed = decision.claimed ? ` (${newsOf(decision, now)})` : "";
  return `${loudnessOf(decision) === "high" ? "urgent: " : ""}${title}${claimed}`;
}
