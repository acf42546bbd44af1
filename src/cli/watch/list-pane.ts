/** The list: a line for each decision or group, with the one in focus always visible. */
import type { DecisionBrief } from "../../api/api.ts";
import { shortAge } from "../../core/text/words.ts";
import { saidWords } from "../../inbox/card/said.ts";
import { isQuiet } from "../../inbox/card/waits.ts";
import { twins, who, whoBriefly } from "../../inbox/card/words.ts";
import { isFiltered } from "../../inbox/facets.ts";
import type { Inbox } from "../../inbox/model.ts";
import type { Row } from "../../inbox/order.ts";
import { rows } from "../../inbox/order.ts";
import { pad, truncate, widthOf } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import type { Area, Look } from "./pane.ts";

/** What asks, in one column; the help says what they mean. */
export const GLYPHS: Readonly<Record<DecisionBrief["source"], string>> = {
  approval: "$",
  question: "?",
  plan: "≡",
  gate: "⊗",
  error: "×",
  dead: "†",
  idle: "…",
  step: "◆",
  request: "@",
};

/** From this width on, who asks has a column. */
const WITH_ASKER = 42;
/** From this width on, the project has one too, if there are several. */
const WITH_PROJECT = 58;

interface Columns {
  project: number;
  asker: number;
  askerOf(item: DecisionBrief): string;
  /** Those whose title somebody else in view has too. */
  twice: ReadonlySet<string>;
}

export function listPane(inbox: Inbox, { width, height }: Area, look: Look): string[] {
  const order = rows(inbox);
  if (order.length === 0) return [emptyLine(inbox, look)];
  const at = Math.max(
    0,
    order.findIndex((it) => it.item.id === inbox.selected),
  );
  const from = Math.max(0, Math.min(at - Math.floor(height / 2), order.length - height));
  const shown = order.slice(from, from + height);
  const columns = columnsFor(shown, width);
  const lines = shown.map((it) => line(it, inbox, width, columns, look));
  const above = from > 0 && at > from;
  const below = order.length - from - height;
  if (above) lines[0] = look.style.dim(pad(`     ↑ ${from + 1} more`, width));
  if (below > 0 && at < from + height - 1)
    lines[lines.length - 1] = look.style.dim(pad(`     ↓ ${below + 1} more`, width));
  return lines;
}

function columnsFor(shown: readonly Row[], width: number): Columns {
  const items = shown.map((it) => it.item);
  const longest = (texts: string[], most: number) => Math.min(most, Math.max(...texts.map(widthOf)));
  const projects = new Set(items.map((it) => it.project));
  const titles = new Map<string, number>();
  const most = Math.floor(width / 4);
  const isRoomy = longest(items.map(askers(items, who)), most + 1) <= most; // a step that is cut says nothing
  const askerOf = askers(items, isRoomy ? who : whoBriefly);
  for (const { title } of items) titles.set(title, (titles.get(title) ?? 0) + 1);
  return {
    project:
      width >= WITH_PROJECT && projects.size > 1
        ? longest(
            items.map((it) => safeLine(it.project)),
            12,
          )
        : 0,
    asker: width >= WITH_ASKER ? longest(items.map(askerOf), most) : 0,
    askerOf,
    twice: new Set([...titles].filter(([, number]) => number > 1).map(([title]) => title)),
  };
}

/** Everybody's name, by which no two of them are the same. */
function askers(items: readonly DecisionBrief[], name: typeof who): Columns["askerOf"] {
  const isTwin = twins(items, name);
  return (it) => name(it, isTwin(it));
}

function line(row: Row, inbox: Inbox, width: number, columns: Columns, { style, now }: Look): string {
  const { item, ids, alike } = row;
  const isSelected = item.id === inbox.selected;
  const isOver = item.held !== null || inbox.sending.has(item.id);
  const marks = ids.filter((id) => inbox.marked.has(id)).length;
  const mark = marks === 0 ? (alike > 1 && ids.length === 1 ? "○" : " ") : marks === ids.length ? "✓" : "~";
  const loud = { high: "!", medium: " ", low: "·" }[item.urgency];
  const urgency = isOver ? "→" : isQuiet(item) ? "-" : loud;
  const head = `${isSelected ? "▶" : " "}${mark}${urgency}${GLYPHS[item.source]} `;
  const asker = columns.askerOf(item);
  const cells = [
    ...(columns.project > 0 ? [pad(truncate(safeLine(item.project), columns.project), columns.project)] : []),
    ...(columns.asker > 0 ? [pad(truncate(asker, columns.asker), columns.asker)] : []),
  ];
  const before = cells.map((it) => `${it}  `).join("");
  const number = ids.length > 1 ? ` ×${ids.length}` : "";
  const age = shortAge(now - item.created_at_ms).padStart(4);
  const room = width - widthOf(head) - widthOf(before) - widthOf(number) - widthOf(age);
  const needsAsker = columns.asker === 0 && columns.twice.has(item.title);
  const title = pad(titleOf(item, needsAsker ? asker : "", room), room);
  if (isSelected) return style.bold(style.cyan(`${head}${before}${title}${number}${age}`));
  if (isOver || isQuiet(item)) return style.dim(`${head}${before}${title}${number}${age}`);
  const top = item.urgency === "high" ? style.red(head) : head;
  return `${top}${dimmed(before, style)}${title}${number === "" ? "" : style.bold(number)}${style.dim(age)}`;
}

/** The title; who asks comes with it if two titles are the same and there is no column for that. */
function titleOf(item: DecisionBrief, asker: string, room: number): string {
  const said = item.held === null ? saidWords(item) : null;
  const text = `${said === null ? "" : `[${said}] `}${safeLine(item.title)}`;
  if (asker === "") return truncate(text, room);
  const name = truncate(asker, Math.max(6, Math.floor(room / 2) - 3));
  return `${truncate(text, room - widthOf(name) - 3)} · ${name}`;
}

function dimmed(text: string, style: Look["style"]): string {
  return text === "" ? "" : style.dim(text);
}

function emptyLine(inbox: Inbox, { style }: Look): string {
  if (inbox.connection === "connecting") return style.dim("  looking…");
  if (inbox.items.size > 0 && isFiltered(inbox)) return style.dim("  no match (a: show all)");
  return style.green("  nothing is waiting for you");
}
