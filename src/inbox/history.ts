/** The history as a table for other programs: one row for each settled decision, in the order of these columns. */
import type { DecisionView } from "../api/api.ts";
import { resultOf } from "../core/decision/settled.ts";
import { ownerName } from "../core/text/words.ts";
import { csvLine } from "../text/csv.ts";

const COLUMNS: Readonly<Record<string, (it: DecisionView) => string>> = {
  id: (it) => it.id,
  project: (it) => it.project,
  source: (it) => it.source,
  urgency: (it) => it.urgency,
  title: (it) => it.title,
  action: ({ action }) => (action ? `${action.tool} ${JSON.stringify(action.input)}` : ""),
  asked_by: (it) => ownerName(it.owner),
  asked_at: (it) => dateText(it.created_at_ms),
  outcome: (it) => it.outcome,
  answer: (it) => resultOf(it),
  message: (it) => it.answer?.message ?? "",
  by: (it) => it.answer?.by ?? it.ended?.by ?? "",
  via: (it) => it.answer?.via ?? "",
  settled_at: (it) => dateText(it.answer?.resolved_at_ms ?? it.ended?.at_ms ?? null),
  delivery: (it) => it.delivery.state,
  delivered_at: (it) => dateText(it.delivery.at_ms),
};

export function csvHead(): string {
  return csvLine(Object.keys(COLUMNS));
}

export function csvRow(decision: DecisionView): string {
  return csvLine(Object.values(COLUMNS).map((of) => of(decision)));
}

function dateText(at_ms: number | null): string {
  return at_ms === null ? "" : new Date(at_ms).toISOString();
}
