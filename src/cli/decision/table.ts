/** Decisions as a list: one line each, most urgent first (the daemon has sorted them). */
import type { DecisionView } from "../../api.ts";
import { URGENCIES } from "../../core/decision-types.ts";
import { shortAge } from "../../core/words.ts";
import { table } from "../layout.ts";
import { safeLine } from "../safe.ts";
import type { Look } from "./card.ts";
import { urgencyColour } from "./card.ts";
import { answerWords, count, who } from "./words.ts";

export interface ListLook extends Omit<Look, "width"> {
  /** Titles are cut to it; without it nothing is cut, so that a pipe gets all. */
  width?: number | undefined;
  /** With a column for the state: settled ones are among them. */
  all: boolean;
}

export function decisionTable(
  decisions: readonly DecisionView[],
  { style, now, width, all }: ListLook,
): string {
  const hasProjects = new Set(decisions.map((it) => it.project)).size > 1;
  const head = [
    "ID",
    ...(hasProjects ? ["PROJECT"] : []),
    ...(all ? ["STATE"] : []),
    "URGENCY",
    "SOURCE",
    "AGE",
    "WHO",
    "TITLE",
  ];
  const rows = decisions.map((it) => [
    it.id,
    ...(hasProjects ? [safeLine(it.project)] : []),
    ...(all ? [it.state] : []),
    it.urgency,
    it.source,
    shortAge(now - it.created_at_ms),
    who(it),
    safeLine(it.title) + (all && it.answer ? ` → ${answerWords(it)}` : ""),
  ]);
  const urgency = head.indexOf("URGENCY");
  const paint = (cell: string, row: number, column: number) => {
    const decision = decisions[row - 1];
    if (!decision) return style.dim(cell);
    if (column === urgency) return urgencyColour(decision.urgency, style)(cell);
    return column === 0 ? style.bold(cell) : cell;
  };
  return table([head, ...rows], { width, paint }).join("\n");
}

/** "3 decisions wait: 1 high, 2 medium". */
export function countsLine(decisions: readonly DecisionView[]): string {
  const pending = decisions.filter((it) => it.state === "pending");
  const byUrgency = URGENCIES.flatMap((urgency) => {
    const number = pending.filter((it) => it.urgency === urgency).length;
    return number === 0 ? [] : [`${number} ${urgency}`];
  });
  const settled = decisions.length - pending.length;
  const waiting = `${count(pending.length, "decision")} wait${pending.length === 1 ? "s" : ""} for an answer`;
  return (
    waiting +
    (byUrgency.length > 0 ? `: ${byUrgency.join(", ")}` : "") +
    (settled > 0 ? `; ${settled} settled` : "")
  );
}
