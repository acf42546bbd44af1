/** What `oj decision list` prints of settled decisions: a table for people, or everything as JSON or CSV. */
import type { DecisionBrief, DecisionQuery, DecisionView } from "../../api/api.ts";
import { suggest } from "../../core/text/suggest.ts";
import { csvHead, csvRow } from "../../inbox/history.ts";
import { count } from "../../inbox/words.ts";
import { tableWidth } from "../../text/layout.ts";
import { safeJson, safeLine } from "../../text/safe.ts";
import type { Context } from "../base/command.ts";
import { pagesOf } from "./pages.ts";
import { historyTable } from "./table.ts";

/** People look at the newest ones; programs get everything. */
const SHOWN = 100;

export interface Wanted {
  query: DecisionQuery;
  format: "text" | "json" | "csv";
  limit: number | undefined;
}

export async function showHistory(context: Context, { query, format, limit }: Wanted): Promise<void> {
  const { client, out, now } = context;
  const settled: DecisionQuery = { ...query, order: "settled" };
  if (format !== "text")
    return exportAs(format, pagesOf(client.decisions, settled, limit ?? Number.POSITIVE_INFINITY), out);
  const most = limit ?? SHOWN;
  const found: DecisionBrief[] = [];
  for await (const page of pagesOf(async (it) => (await client.briefs(it)).decisions, settled, most + 1))
    found.push(...page);
  if (found.length === 0) return nothingFound(context, query);
  const shown = found.slice(0, most);
  out.print(historyTable(shown, { style: out.style, now: now(), width: tableWidth(out) }));
  out.print("");
  if (found.length === shown.length) out.print(`${count(shown.length, "decision")}, the last settled first`);
  else {
    out.print(`the last ${count(shown.length, "decision")}; there are more`);
    out.say(`  ${out.style.cyan("→")} -n ${most * 10} shows more; -o csv and -o json have them all`);
  }
}

type Export = Exclude<Wanted["format"], "text">;

/** Page by page, so that a long history never has to fit into memory. */
export async function exportAs(
  format: Export,
  pages: AsyncIterable<readonly DecisionView[]> | readonly (readonly DecisionView[])[],
  out: Context["out"],
): Promise<void> {
  let isFirst = true;
  if (format === "csv") out.print(withoutEnd(csvHead()));
  for await (const page of pages) {
    if (format === "csv") out.print(withoutEnd(page.map(csvRow).join("")));
    else
      for (const it of page) {
        out.print(`${isFirst ? "[" : ","}${safeJson(JSON.stringify(it))}`);
        isFirst = false;
      }
  }
  if (format === "json") out.print(isFirst ? "[]" : "]");
}

/** `print` ends the line itself. */
function withoutEnd(lines: string): string {
  return lines.replace(/\n$/, "");
}

/** A name that is not in the history was probably misspelled. */
async function nothingFound({ client, out }: Context, { by, project }: DecisionQuery): Promise<void> {
  out.print("no settled decision matches");
  const { people, projects } = await client.historyNames();
  const meant = [
    ["--by", by, people],
    ["--project", project, projects],
  ] as const;
  for (const [flag, given, known] of meant) {
    if (given === undefined || known.some((it) => it.toLowerCase() === given.toLowerCase())) continue;
    const near = suggest(given, known);
    if (near !== null) out.say(`  ${out.style.cyan("→")} did you mean ${flag} ${safeLine(near)}?`);
  }
}
