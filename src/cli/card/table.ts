/** Decisions as a list: one line each, most urgent first (the daemon has sorted them). */
import type { DecisionView } from "../../api/api.ts";
import { URGENCIES } from "../../core/model/decision-types.ts";
import { shortAge } from "../../core/text/words.ts";
import { saidWords } from "../../inbox/card/said.ts";
import { isQuiet, meanwhileWords } from "../../inbox/card/waits.ts";
import { answerWords, count, twins, who } from "../../inbox/card/words.ts";
import { table, truncate } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import type { Context } from "../base/command.ts";
import { urgencyColour } from "./card.ts";
import type { Look } from "./sections.ts";

export interface ListLook extends Omit<Look, "width"> {
  /** Titles are cut to it; without it nothing is cut, so that a pipe gets everything. */
  width?: number | undefined;
  /** With a column for the state: settled ones are among them. */
  all: boolean;
}

/** Columns that the list needs with the asker, without project and state. If they don't fit, `show` names the asker. */
const WITH_WHO = 64;
const EXTRA = 12;
/** From this width on there is room for all columns, whatever they contain. */
const WIDE = 110;
/** A title is useful from this many columns on; with fewer it gets a line of its own. */
const ROOM = 22;

interface Column {
  name: string;
  of(decision: DecisionView): string;
}

export function decisionTable(decisions: readonly DecisionView[], look: ListLook): string {
  const { style, width } = look;
  const columns = columnsFor(decisions, look);
  const urgency = columns.findIndex((it) => it.name === "URGENCY");
  const paint = (cell: string, row: number, column: number) => {
    const decision = decisions[row - 1];
    if (!decision) return style.dim(cell);
    if (column === urgency) return urgencyColour(decision.urgency, style)(cell);
    return column === 0 ? style.bold(cell) : cell;
  };
  const rows = [
    columns.map((it) => it.name),
    ...decisions.map((decision) => columns.map((it) => it.of(decision))),
  ];
  return table(rows, { width, room: ROOM, heading: true, paint }).join("\n");
}

function columnsFor(
  decisions: readonly DecisionView[],
  { now, width = Number.POSITIVE_INFINITY, all }: ListLook,
): Column[] {
  const hasProjects = new Set(decisions.map((it) => it.project)).size > 1;
  const project: Column = {
    name: "PROJECT",
    of: (it) => truncate(safeLine(it.project), Math.max(10, width / 6)),
  };
  const state: Column = { name: "STATE", of: (it) => (it.held ? "answered" : it.state) };
  const isTwin = twins(decisions);
  const asker: Column = { name: "WHO", of: (it) => truncate(who(it, isTwin(it)), Math.max(10, width / 4)) };
  const urgency: Column = { name: "URGENCY", of: (it) => it.urgency };
  const isUsual = width < WIDE && decisions.every((it) => it.urgency === "medium"); // then it tells nothing
  const title = (it: DecisionView) => {
    const answer = it.held?.answer ?? (all ? it.answer : null);
    const said = it.state === "pending" && !answer ? saidWords(it) : null;
    return (
      safeLine(it.title) +
      (answer
        ? ` → ${answerWords({ answer })}${answer.via === "policy" ? `, by ${safeLine(answer.by)}` : ""}`
        : "") +
      (said === null ? "" : ` (${said})`)
    );
  };
  return [
    { name: "ID", of: (it) => it.id },
    ...(hasProjects ? [project] : []),
    ...(all ? [state] : []),
    ...(isUsual ? [] : [urgency]),
    { name: "SOURCE", of: (it) => it.source },
    { name: "AGE", of: (it) => shortAge(now - it.created_at_ms) },
    ...(width < WITH_WHO + (hasProjects ? EXTRA : 0) + (all ? EXTRA : 0) ? [] : [asker]),
    { name: "TITLE", of: title },
  ];
}

/** What was asked without waiting, apart from what blocks work, each with what goes on meanwhile. */
export function asideTable(decisions: readonly DecisionView[], look: ListLook): string {
  const { style } = look;
  const lines = decisions.map((it) => {
    const words = `  ${it.id} goes on meanwhile: ${safeLine(meanwhileWords(it) ?? "")}`;
    return style.dim(look.width === undefined ? words : truncate(words, look.width));
  });
  return [style.bold("blocks nothing yet"), decisionTable(decisions, look), ...lines].join("\n");
}

/** How to look at the first of them, and at all where that can be done. */
export function toLookAt(
  { id }: Pick<DecisionView, "id">,
  { mayCall = () => true }: Pick<Context, "mayCall">,
): string {
  const all = mayCall("decision review") ? ", or go through them all: oj decision review" : "";
  return `oj decision show ${id}${all}`;
}

/** "3 decisions wait: 1 high, 2 medium". */
export function countsLine(decisions: readonly DecisionView[]): string {
  const open = decisions.filter((it) => it.state === "pending" && !it.held);
  const pending = open.filter((it) => !isQuiet(it));
  const byUrgency = URGENCIES.flatMap((urgency) => {
    const number = pending.filter((it) => it.urgency === urgency).length;
    return number === 0 ? [] : [`${number} ${urgency}`];
  });
  const held = decisions.filter((it) => it.held).length;
  const quiet = open.length - pending.length;
  const settled = decisions.length - open.length - held;
  const waiting = `${count(pending.length, "decision")} waiting for an answer`;
  return (
    waiting +
    (byUrgency.length > 0 ? `: ${byUrgency.join(", ")}` : "") +
    (quiet > 0 ? `; ${quiet} more ${quiet === 1 ? "blocks" : "block"} nothing yet` : "") +
    (held > 0 ? `; ${held} answered but not sent yet` : "") +
    (settled > 0 ? `; ${settled} settled` : "")
  );
}
