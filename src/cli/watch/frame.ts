/** The whole screen as lines: a pure function of the inbox, the size and the time. */

import { URGENCIES } from "../../core/model/decision-types.ts";
import { KEYS } from "../../inbox/keys.ts";
import type { Inbox } from "../../inbox/model.ts";
import { waiting } from "../../inbox/model.ts";
import { pad, truncate, widthOf } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import type { Style } from "../../text/style.ts";
import { cardPane } from "./card-pane.ts";
import { foot } from "./foot.ts";
import type { Area } from "./list-pane.ts";
import { listPane } from "./list-pane.ts";
import type { Sight } from "./sight.ts";

export interface FrameInput {
  columns: number;
  rows: number;
  now: number;
  style: Style;
  scroll: number;
  /** The agent's screen as it is shown: safe, and with its colours. */
  peeked: readonly string[];
}

export interface Frame {
  lines: string[];
  /** How far the text in focus can be scrolled. */
  most: number;
  /** What must be seen before it is answered, and what of it is on the screen. */
  sight: Sight | null;
}

/** The panes are side by side from this width on, otherwise one above the other. */
const BESIDE = 72;

export function frame(inbox: Inbox, input: FrameInput): Frame {
  const { columns, rows, style, now } = input;
  const look = { style, now };
  const height = Math.max(1, rows - 3);
  const top = header(inbox, columns, style);
  const bottom = foot(inbox, columns, look);
  const middle = body(inbox, { width: columns, height }, input);
  const lines = [top, ...middle.lines.slice(0, height)];
  while (lines.length < height + 1) lines.push("");
  return { lines: [...lines, ...bottom].slice(0, rows), most: middle.most, sight: middle.sight };
}

function body(inbox: Inbox, area: Area, input: FrameInput): Frame {
  const { style, now, scroll } = input;
  const look = { style, now };
  if (inbox.mode.type === "help") return help(area, scroll, style);
  if (inbox.mode.type === "peek")
    return { lines: peek(inbox.mode.agent_id, area, input), most: 0, sight: null };
  if (area.width < BESIDE) {
    const height = Math.max(1, Math.min(inbox.items.size, Math.floor(area.height / 4) + 1));
    const list = listPane(inbox, { width: area.width, height }, look);
    const line = style.dim("─".repeat(area.width));
    const card = cardPane(inbox, { width: area.width, height: area.height - list.length - 1 }, scroll, look);
    return { lines: [...list, line, ...card.lines], most: card.most, sight: card.sight };
  }
  const width = Math.min(44, Math.floor(area.width * 0.36));
  const list = listPane(inbox, { width, height: area.height }, look);
  const card = cardPane(inbox, { width: area.width - width - 3, height: area.height }, scroll, look);
  const lines = Array.from({ length: area.height }, (_, at) => {
    return `${pad(list[at] ?? "", width)} ${style.dim("│")} ${card.lines[at] ?? ""}`;
  });
  return { lines, most: card.most, sight: card.sight };
}

function header(inbox: Inbox, columns: number, style: Style): string {
  const count = waiting(inbox);
  const open = [...inbox.items.values()].filter((it) => it.state === "pending" && it.held === null);
  const by = URGENCIES.flatMap((urgency) => {
    const number = open.filter((it) => it.urgency === urgency).length;
    return number === 0 ? [] : [`${number} ${urgency}`];
  });
  const filters = [
    ...(inbox.filter.high ? ["high only"] : []),
    ...(inbox.filter.text === "" ? [] : [`/${safeLine(inbox.filter.text)}`]),
  ];
  const left = ` oj  ${count} waiting for you${by.length > 1 ? ` (${by.join(", ")})` : ""}${filters.length > 0 ? `  [${filters.join(", ")}]` : ""}`;
  const state = { connecting: "connecting…", live: "● live", offline: "○ the daemon is not reachable" }[
    inbox.connection
  ];
  const room = columns - widthOf(state) - 2;
  const colour = inbox.connection === "live" ? style.green : style.yellow;
  return `${style.bold(pad(truncate(left, room), room))} ${colour(state)}`;
}

/** Uses one column, or two if one is too tall and there is room; scrolls if neither fits. */
function help({ height, width }: Area, scroll: number, style: Style): Frame {
  const rows = [
    { keys: "1-9", help: "choose an option; Enter sends it" },
    ...KEYS.map((it) => ({ keys: it.keys.join(" "), help: it.help })),
  ];
  const line = (it: { keys: string; help: string }, room: number) => {
    const text = truncate(` ${it.keys.padEnd(13)} ${it.help}`, room);
    return style.bold(text.slice(0, 14)) + text.slice(14);
  };
  const half = Math.ceil(rows.length / 2);
  const column = Math.floor(width / 2);
  const isWide = rows.length > height && width >= 90;
  const lines = isWide
    ? rows.slice(0, half).map((it, at) => {
        const other = rows[half + at];
        return pad(line(it, column - 1), column) + (other ? line(other, column) : "");
      })
    : rows.map((it) => line(it, width));
  const most = Math.max(0, lines.length - height);
  const from = Math.min(scroll, most);
  const seen = lines.slice(from, from + height);
  if (from < most) seen[seen.length - 1] = style.dim(`  ↓ ${most - from + 1} more (J, K)`);
  return { lines: seen, most, sight: null };
}

function peek(agent_id: string, { height, width }: Area, { peeked, style }: FrameInput): string[] {
  const title = style.bold(truncate(` ${agent_id}: its terminal, live (Esc back)`, width));
  const lines = peeked.length === 0 ? [style.dim(" …")] : peeked;
  return [title, ...lines.slice(-(height - 1))];
}
