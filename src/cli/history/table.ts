/** The history as rows: what was answered, by whom, when, and whether it arrived. */
import type { DecisionBrief } from "../../api/api.ts";
import { table, truncate } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import type { Style } from "../../text/style.ts";
import { shortDate } from "./moments.ts";

export interface HistoryLook {
  style: Style;
  now: number;
  /** Cells are cut to it; without it nothing is cut, so that a pipe gets everything. */
  width?: number | undefined;
}

/** From this width on there is room for the source. */
const WIDE = 110;
/** A title is useful from this many columns on; with fewer it gets a line of its own. */
const ROOM = 22;

type Settled = NonNullable<DecisionBrief["settled"]>;

export function historyTable(briefs: readonly DecisionBrief[], look: HistoryLook): string {
  const { style, now, width = Number.POSITIVE_INFINITY } = look;
  const hasProjects = new Set(briefs.map((it) => it.project)).size > 1;
  const cut = (text: string, share: number) => truncate(safeLine(text), Math.max(12, width / share));
  const head = [
    "WHEN",
    "ID",
    ...(hasProjects ? ["PROJECT"] : []),
    "ANSWER",
    "BY",
    "DELIVERED",
    ...(width < WIDE ? [] : ["SOURCE"]),
    "TITLE",
  ];
  const rows = briefs.flatMap(({ settled, ...it }) => {
    if (!settled) return [];
    return [
      [
        shortDate(settled.at_ms, now),
        it.id,
        ...(hasProjects ? [cut(it.project, 8)] : []),
        cut(resultWords(settled), 5),
        cut(settled.by === null ? "" : settled.by + (settled.via ? ` (${settled.via})` : ""), 6),
        DELIVERED[settled.delivery],
        ...(width < WIDE ? [] : [it.source]),
        safeLine(it.title),
      ],
    ];
  });
  const paint = (cell: string, row: number, column: number) => {
    if (row === 0) return style.dim(cell);
    return head[column] === "ID" ? style.bold(cell) : cell;
  };
  return table([head, ...rows], { width, room: ROOM, heading: true, paint }).join("\n");
}

/** What was answered; for other outcomes which one, and why. */
function resultWords({ outcome, words }: Settled): string {
  const isAnswer = ["answered", "approved", "denied", "cancelled"].includes(outcome);
  if (isAnswer) return words;
  return outcome === "dismissed" || words === "" ? outcome : `${outcome}: ${words}`;
}

/** "sent" has not been acknowledged by whoever asked. */
const DELIVERED: Record<Settled["delivery"], string> = {
  none: "–",
  owed: "not yet",
  delivered: "sent",
  acknowledged: "yes",
  failed: "failed",
};
