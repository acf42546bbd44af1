/** The fleet as lines of a screen: the rows around the one in focus, and below them what can be done about that one. */
import type { FleetRow } from "../../inbox/fleet/row.ts";
import { actionsOf } from "../../inbox/fleet/row.ts";
import { hang, truncate, uncoloured, widthOf, wrap } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import type { Style } from "../../text/style.ts";
import { aboutOf, fleetLines } from "./lines.ts";
import type { FleetScreen } from "./screen.ts";
import { rowsOn } from "./screen.ts";

interface Area {
  width: number;
  height: number;
}

interface Look {
  style: Style;
  now: number;
}

/** With less height, the rows have all of it. */
const WITH_MORE = 12;

export function fleetPane(screen: FleetScreen, area: Area, look: Look): string[] {
  const { width, height } = area;
  const { style, now } = look;
  if (screen.doing?.type === "cancel") return cancelLines(screen.doing, width, look);
  if (screen.fleet === null) return [style.dim(" looking…")];
  const { rows, at } = rowsOn(screen, now);
  const row = rows[at];
  if (!row) return [style.green(" nothing is running and nothing is waiting")];
  const title = style.bold(truncate(` The fleet: ${countsOf(rows)}`, width));
  const most = height < WITH_MORE ? 0 : Math.floor((height - 2) * 0.6);
  const more = moreLines(row, width, look).slice(0, most);
  const room = height - 2 - more.length;
  const list = listLines(rows, at, { width, height: room }, look);
  while (list.length < room) list.push("");
  return [title, "", ...list, ...more];
}

/** "2 hung, 1 failed, 3 working". */
function countsOf(rows: readonly FleetRow[]): string {
  const counts = new Map<string, number>();
  for (const { state } of rows) counts.set(state, (counts.get(state) ?? 0) + 1);
  return [...counts].map(([state, number]) => `${number} ${state}`).join(", ");
}

function listLines(
  rows: readonly FleetRow[],
  at: number,
  { width, height }: Area,
  { style, now }: Look,
): string[] {
  const from = Math.max(0, Math.min(at - Math.floor(height / 2), rows.length - height));
  const isOfMany = new Set(rows.map((it) => it.project)).size > 1;
  const shown = rows
    .slice(from, from + height)
    .map((it) => ({ ...it, about: it.about || it.waits })) // all of it is below, where the focus is
    .map((it) => (isOfMany ? { ...it, name: `${safeLine(it.project)}: ${it.name}` } : it));
  const lines = fleetLines(shown, { style, width, now, room: Number.NEGATIVE_INFINITY }).map(
    (line, index) => {
      const text = widthOf(line) > width - 2 ? truncate(uncoloured(line), width - 2) : line;
      return from + index === at ? style.bold(style.cyan(`▶ ${uncoloured(text)}`)) : `  ${text}`;
    },
  );
  const below = rows.length - from - height;
  if (from > 0 && at > from) lines[0] = style.dim(`  ↑ ${from + 1} more`);
  if (below > 0 && at < from + height - 1) lines[lines.length - 1] = style.dim(`  ↓ ${below + 1} more`);
  return lines;
}

/** Who it is, its state in full, the last line that it printed, and each command with its key. */
function moreLines(row: FleetRow, width: number, { style }: Look): string[] {
  const { name, project, state, decision, line, waits } = row;
  const about = aboutOf(row);
  const who = `${name}, ${safeLine(project)}: ${decision && row.kind === "decision" ? "asks" : state}`;
  const actions = actionsOf(row);
  const isFailed = state === "failed";
  const rule = "─".repeat(Math.max(0, width));
  return [
    style.dim(rule),
    style.bold(truncate(` ${who}`, width)),
    ...(about === "" || about === line ? [] : hang("   ", about, width).slice(0, 3)),
    ...(waits === "" ? [] : hang("   ", waits, width).map(style.yellow)),
    ...(line === "" ? [] : [style.dim(truncate(`   │ ${line}`, width))]),
    ...(isFailed ? [truncate("   Enter  opens it in the inbox, to retry or drop it", width)] : []),
    ...actions.map(({ key, label, command }) => {
      const name = key === "enter" ? "Enter" : (key ?? "");
      return truncate(`   ${name.padEnd(5)}  ${label.padEnd(17)}  ${safeLine(command)}`, width);
    }),
  ];
}

function cancelLines(
  { run_id, name }: { run_id: string; name: string },
  width: number,
  { style }: Look,
): string[] {
  const isCrew = run_id.startsWith("crew-");
  const words = isCrew
    ? "Its agent is ended, and its terminal closes. What it asks is withdrawn."
    : "Whatever it runs is stopped, its agent with it, and what it asks is withdrawn. Then its on_cancel step runs, if it has one.";
  return [
    ...wrap(` Cancel ${safeLine(run_id)}?`, width).map(style.bold),
    "",
    truncate(`   ${name}`, width),
    ...hang("   ", words, width),
  ];
}

/** The keys that help now. */
export function fleetHints(screen: FleetScreen, now: number): string[] {
  if (screen.doing?.type === "cancel") return ["Enter cancel it", "Esc no"];
  if (screen.doing?.type === "send") return ["Enter send", "Esc back"];
  const { rows, at } = rowsOn(screen, now);
  const row = rows[at];
  const keys = row ? actionsOf(row).map((it) => it.type) : [];
  return [
    ...(rows.length > 1 ? ["j/k move"] : []),
    ...(keys.includes("answer") || row?.state === "failed" ? ["Enter open"] : []),
    ...(keys.includes("peek") ? ["p peek", "a attach", "t send words"] : []),
    ...(keys.includes("cancel") ? ["x cancel"] : []),
    "Esc back",
  ];
}
