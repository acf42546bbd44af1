/** Hands the person a file that was made in this page. */
import type { ExportFormat } from "../../inbox/history.ts";
import { exported, pagesOf } from "../../inbox/history.ts";
import type { HistoryQuery } from "./api.ts";
import { client, settledQuery } from "./api.ts";

const TYPES = { csv: "text/csv;charset=utf-8", json: "application/json" };
/** Without it, some spreadsheets don't take the text for UTF-8. */
const UTF8_MARK = "\ufeff";

/** Everything that the filters find, not only what has been scrolled to. `onCount` hears how far it has come. */
export async function downloadHistory(
  query: HistoryQuery,
  format: ExportFormat,
  onCount: (count: number) => void,
): Promise<void> {
  let count = 0;
  async function* counted() {
    for await (const page of pagesOf(client.decisions, settledQuery(query), Number.POSITIVE_INFINITY)) {
      yield page;
      count += page.length;
      onCount(count);
    }
  }
  const parts: string[] = format === "csv" ? [UTF8_MARK] : [];
  for await (const text of exported(format, counted())) parts.push(text, "\n");
  const url = URL.createObjectURL(new Blob(parts, { type: TYPES[format] }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `decisions.${format}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000); // the browser may ask first where to put it
}
