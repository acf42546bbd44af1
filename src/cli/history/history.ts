/** What `oj decision list` prints of settled decisions: a table for people, or everything as JSON or CSV. */
import type { DecisionBrief, DecisionQuery } from "../../api/api.ts";
import { suggest } from "../../core/text/suggest.ts";
import { count } from "../../inbox/card/words.ts";
import type { ExportFormat } from "../../inbox/history.ts";
import { exported, pagesOf } from "../../inbox/history.ts";
import { tableWidth } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import type { Context } from "../base/command.ts";
import { historyTable } from "./table.ts";

/** People look at the newest ones; programs get everything. */
const SHOWN = 100;

export interface Wanted {
  query: DecisionQuery;
  format: "text" | ExportFormat;
  limit: number | undefined;
}

export async function showHistory(context: Context, { query, format, limit }: Wanted): Promise<void> {
  const { client, out, now } = context;
  const settled: DecisionQuery = { ...query, order: "settled" };
  if (format !== "text")
    return exportAs(out, format, pagesOf(client.decisions, settled, limit ?? Number.POSITIVE_INFINITY));
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

/** Page by page, so that a long history never has to fit into memory. */
export async function exportAs(
  out: Context["out"],
  ...[format, pages]: Parameters<typeof exported>
): Promise<void> {
  for await (const text of exported(format, pages)) out.print(text);
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
