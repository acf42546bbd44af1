/** The list: one line per decision, with the selected one always visible. */
import type { DecisionBrief } from "../../api/api.ts";
import { shortAge } from "../../core/text/words.ts";
import { isFiltered } from "../../inbox/facets.ts";
import type { Inbox } from "../../inbox/model.ts";
import { listed } from "../../inbox/order.ts";
import { pad, truncate } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import type { Style } from "../../text/style.ts";

export interface Area {
  width: number;
  height: number;
}

export interface Look {
  style: Style;
  now: number;
}

export function listPane(inbox: Inbox, { width, height }: Area, look: Look): string[] {
  const order = listed(inbox);
  if (order.length === 0) return [emptyLine(inbox, look)];
  const at = Math.max(
    0,
    order.findIndex((it) => it.id === inbox.selected),
  );
  const from = Math.max(0, Math.min(at - Math.floor(height / 2), order.length - height));
  const more = order.length - from - height;
  const rows = order.slice(from, from + height).map((it) => row(it, inbox, width, look));
  if (from > 0) rows[0] = look.style.dim(pad(`  ↑ ${from + 1} more`, width));
  if (more > 0) rows[rows.length - 1] = look.style.dim(pad(`  ↓ ${more + 1} more`, width));
  return rows;
}

function row(item: DecisionBrief, inbox: Inbox, width: number, { style, now }: Look): string {
  const { selected, marked } = inbox;
  const isSelected = item.id === selected;
  const isOver = item.held !== null || inbox.sending.has(item.id);
  const mark = marked.has(item.id) ? "✓" : " ";
  const urgency = isOver ? "→" : item.urgency === "high" ? "!" : item.urgency === "low" ? "·" : " ";
  const age = shortAge(now - item.created_at_ms).padStart(3);
  const title = truncate(safeLine(item.title), width - 9);
  const text = `${mark}${urgency} ${age}  ${title}`;
  if (isSelected) return style.bold(style.cyan(pad(`▶${text}`, width)));
  const line = pad(` ${text}`, width);
  if (isOver) return style.dim(line);
  return item.urgency === "high" ? style.red(line) : line;
}

function emptyLine(inbox: Inbox, { style }: Look): string {
  if (inbox.connection === "connecting") return style.dim("  looking…");
  if (inbox.items.size > 0 && isFiltered(inbox)) return style.dim("  no match (a: show all)");
  return style.green("  nothing is waiting for you");
}
