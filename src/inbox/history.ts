/** The history for other programs: every settled decision that a query finds, page by page, as CSV or JSON. */
import type { DecisionQuery, DecisionView } from "../api/api.ts";
import { resultOf } from "../core/decision/settled.ts";
import { ownerName } from "../core/text/words.ts";
import { csvLine } from "../text/csv.ts";
import { safeJson } from "../text/safe.ts";

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

export type ExportFormat = "csv" | "json";
type Pages<T> = AsyncIterable<readonly T[]> | readonly (readonly T[])[];

/** The text in pieces, to be joined by line ends, so that a long history never has to fit into one. */
export async function* exported(format: ExportFormat, pages: Pages<DecisionView>): AsyncGenerator<string> {
  let isFirst = true;
  if (format === "csv") yield withoutEnd(csvLine(Object.keys(COLUMNS)));
  for await (const page of pages) {
    if (format === "csv") yield withoutEnd(page.map(csvRow).join(""));
    else
      for (const it of page) {
        yield `${isFirst ? "[" : ","}${safeJson(JSON.stringify(it))}`;
        isFirst = false;
      }
  }
  if (format === "json") yield isFirst ? "[]" : "]";
}

const PAGE = 500;

/** What a query finds, at most `limit` of it. */
export async function* pagesOf<T extends { id: string }>(
  load: (query: DecisionQuery) => Promise<readonly T[]>,
  query: DecisionQuery,
  limit: number,
): AsyncGenerator<readonly T[]> {
  let before: string | undefined;
  for (let left = limit; left > 0; ) {
    const size = Math.min(PAGE, left);
    const page = await load({ ...query, limit: size, ...(before ? { before } : {}) });
    if (page.length > 0) yield page;
    if (page.length < size) return;
    left -= page.length;
    before = page.at(-1)?.id;
  }
}

function csvRow(decision: DecisionView): string {
  return csvLine(Object.values(COLUMNS).map((of) => of(decision)));
}

function withoutEnd(lines: string): string {
  return lines.replace(/\n$/, "");
}

function dateText(at_ms: number | null): string {
  return at_ms === null ? "" : new Date(at_ms).toISOString();
}
