/** The whole screen as lines: a pure function of the inbox, the view, the size and the time. */

import type { Inbox } from "../../inbox/model.ts";
import { suggestionLine } from "../../inbox/suggestion.ts";
import { pad, truncate, wrap } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import type { Style } from "../../text/style.ts";
import { fleetPane } from "../fleet/pane.ts";
import { cardPane } from "./card-pane.ts";
import { confirmPane } from "./confirm-pane.ts";
import { foot } from "./foot.ts";
import { header } from "./header.ts";
import { helpPane } from "./help.ts";
import { listPane } from "./list-pane.ts";
import type { Area, Pane, View } from "./pane.ts";
import { rule, still } from "./pane.ts";
import { rememberPane, suggestionPane } from "./remember-pane.ts";
import { startPane } from "./start-pane.ts";
import { wholePane } from "./whole-pane.ts";

export interface FrameInput {
  columns: number;
  rows: number;
  now: number;
  style: Style;
  view: View;
  /** The agent's screen as it is shown: safe, and with its colours. */
  peeked: readonly string[];
}

export interface Frame extends Pane {
  /** The options can't be shown at this size, so none is taken. */
  isTooSmall: boolean;
}

/** The panes are side by side from this width on, otherwise one above the other. */
const BESIDE = 72;
/** The least that an inbox can be shown in. */
const LEAST = { columns: 40, rows: 10 };
/** Less is all for the card. */
const OFFERED_ROWS = 16;
/** The header, what happened, and the keys. */
const AROUND = 3;

export function frame(inbox: Inbox, input: FrameInput): Frame {
  const { columns, rows, style, now } = input;
  if (columns < LEAST.columns || rows < LEAST.rows) return tooSmall(LEAST, input);
  const height = rows - AROUND;
  const offer = offered(inbox, input);
  const middle = body(inbox, { width: columns, height: height - offer.length }, input);
  if (middle.needs) return tooSmall({ columns: LEAST.columns, rows: rows + middle.needs.rows }, input);
  const lines = middle.lines.slice(0, height - offer.length);
  while (lines.length < height - offer.length) lines.push("");
  lines.push(...offer);
  const all = [header(inbox, columns, style), ...lines, ...foot(inbox, input.view, columns, { style, now })];
  return { ...middle, lines: all, isTooSmall: false };
}

/** A line for what the person's answers suggest, where it takes nothing from the card that matters. */
function offered(inbox: Inbox, { columns, rows, style, view }: FrameInput): string[] {
  const line = suggestionLine(inbox.suggestions);
  const isElsewhere = inbox.mode.type !== "list" || view.isWhole || view.fleet || view.starting;
  if (line === null || isElsewhere || rows < OFFERED_ROWS) return [];
  return [style.cyan(truncate(`P  ${safeLine(line)}`, columns))];
}

function body(inbox: Inbox, area: Area, input: FrameInput): Pane {
  const { style, now, view } = input;
  const look = { style, now };
  const { mode, selected } = inbox;
  if (view.starting) return startPane(view.starting, area, look);
  if (mode.type === "help") return helpPane(area, view.scroll, style);
  if (mode.type === "peek") return still(peek(mode.agent_id, area, input));
  if (view.fleet) return still(fleetPane(view.fleet, area, look));
  if (mode.type === "remember") return rememberPane(inbox, mode, area, view.scroll, look);
  if (mode.type === "suggestion") return suggestionPane(inbox, mode, area, view.scroll, look);
  if (mode.type === "confirm") return confirmPane(inbox, mode, area, view.scroll, look);
  const decision = selected === null ? undefined : inbox.details.get(selected);
  if (selected === null && inbox.items.size === 0 && inbox.connection === "live") return allClear(style);
  if (view.isWhole && decision) return wholePane(decision, area, view.scroll, look);
  return area.width < BESIDE ? above(inbox, area, input) : beside(inbox, area, input);
}

/** Nothing to list, nothing in focus: that is said once, without empty panes. */
function allClear(style: Style): Pane {
  const words = "No agent needs you. The next question shows up here by itself.";
  return still(["", `  ${style.bold("Nothing is waiting for you.")}`, `  ${style.dim(words)}`]);
}

/** The list over the card; it gives way until the options fit. */
function above(inbox: Inbox, { width, height }: Area, { style, now, view }: FrameInput): Pane {
  const look = { style, now };
  const most = Math.max(1, Math.min(inbox.items.size, Math.floor(height / 4) + 1));
  for (let size = most; ; size -= 1) {
    const card = cardPane(inbox, { width, height: height - size - 1 }, view, look);
    if (card.needs && size > 1) continue;
    const list = listPane(inbox, { width, height: size }, look);
    while (list.length < size) list.push("");
    return { ...card, lines: [...list, rule("", width, style.dim), ...card.lines] };
  }
}

function beside(inbox: Inbox, { width, height }: Area, { style, now, view }: FrameInput): Pane {
  const look = { style, now };
  const left = Math.min(76, Math.floor(width * 0.36));
  const list = listPane(inbox, { width: left, height }, look);
  const card = cardPane(inbox, { width: width - left - 3, height }, view, look);
  const lines = Array.from({ length: height }, (_, at) =>
    `${pad(list[at] ?? "", left)} ${style.dim("│")} ${card.lines[at] ?? ""}`.trimEnd(),
  );
  return { ...card, lines };
}

/** Says which size it takes instead of hiding options. */
function tooSmall(
  least: { columns: number; rows: number },
  { columns, rows, style, view }: FrameInput,
): Frame {
  const what = view.fleet ? "the fleet" : "what you would answer";
  const words = `This window is too small to show ${what}: ${columns}x${rows}. It takes ${Math.max(columns, least.columns)}x${Math.max(rows, least.rows)}.`;
  const lines = wrap(words, Math.max(10, columns)).map((it) => style.bold(truncate(it, columns)));
  const keys = style.dim(truncate(view.fleet ? "Esc back" : "j/k move  q quit", columns));
  const all = [...lines, "", keys].slice(0, rows);
  while (all.length < rows) all.push("");
  return { ...still(all), isTooSmall: true };
}

function peek(agent_id: string, { height, width }: Area, { peeked, style }: FrameInput): string[] {
  const title = style.bold(truncate(` ${agent_id}: its terminal, live (Esc back)`, width));
  const lines = peeked.length === 0 ? [style.dim(" …")] : peeked;
  return [title, ...lines.slice(-(height - 1))];
}
