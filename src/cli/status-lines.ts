/** The overview as lines: projects, what runs in them, and what waits. */
import type { LiveAgent, ProjectStatus, RunView } from "../api/api.ts";
import { silentBriefly } from "../core/text/hook-settings.ts";
import { shortAge } from "../core/text/words.ts";
import type { FleetRow, FleetState } from "../inbox/fleet/row.ts";
import { lateAnswers, rowsOf } from "../inbox/fleet/rows.ts";
import { count } from "../inbox/words.ts";
import { table, truncate } from "../text/layout.ts";
import { safeLine } from "../text/safe.ts";
import type { Style } from "../text/style.ts";
import { urgencyColour } from "./card/card.ts";
import { fleetMark } from "./owner/fleet-mark.ts";

export interface StatusLook {
  style: Style;
  /** Lines are cut to it; without it nothing is cut. */
  width?: number | undefined;
  now: number;
  project?: string | undefined;
}

export function statusLines(projects: readonly ProjectStatus[], look: StatusLook): string[] {
  const shown = projects.map((it) => ({ status: it, rows: rowsOf(it, look.now) }));
  const busy = shown.filter((it) => it.rows.length > 0);
  if (busy.length === 0) {
    return [
      `nothing is running and nothing is waiting${look.project ? ` in project ${safeLine(look.project)}` : ""}`,
    ];
  }
  return busy.flatMap(({ status, rows }, at) => [
    ...(at > 0 ? [""] : []),
    `${look.style.bold(safeLine(status.project))}  ${look.style.dim(counts(status, look.now))}`,
    ...linesOf(rows, look),
    ...silentLines(status.agents, look),
  ]);
}

/** Agents whose clients don't report, by what switched that off: they are still served, but not as well. */
function silentLines(agents: readonly LiveAgent[], { style }: StatusLook): string[] {
  const ids = new Map<string, string[]>();
  for (const { id, silent } of agents)
    if (silent) ids.set(silentBriefly(silent), [...(ids.get(silentBriefly(silent)) ?? []), id]);
  return [...ids].map(
    ([why, all]) =>
      `  ${style.yellow("!")} ${safeLine(all.join(", "))}: ${safeLine(why)}; read from the screen, answered with keystrokes: oj agent show ${all[0]}`,
  );
}

/** "2 running, 1 waiting, 1 failed, 1 decision pending, 3 agents (1 working, 1 hung)". */
function counts(
  { jobs, crews, pending, failed, agents, sessions, owed }: ProjectStatus,
  now: number,
): string {
  const runs: RunView[] = [...jobs, ...crews];
  const words = (["running", "waiting", "suspended"] as const).flatMap((status) => {
    const number = runs.filter((it) => it.status === status).length;
    return number > 0 ? [`${number} ${status}`] : [];
  });
  if (failed.length > 0) words.push(`${failed.length} failed`);
  if (pending.length > 0) words.push(`${count(pending.length, "decision")} pending`);
  const late = lateAnswers({ owed }, now).length;
  if (late > 0) words.push(`${count(late, "answer")} not delivered`);
  const hung = agents.filter((it) => it.hung_since_ms !== null).length;
  const working = agents.filter((it) => it.status === "working").length - hung;
  if (agents.length > 0)
    words.push(`${count(agents.length, "agent")} (${working} working${hung > 0 ? `, ${hung} hung` : ""})`);
  if (sessions.length > 0) words.push(count(sessions.length, "session"));
  return words.join(", ");
}

/** What it waits for, what else there is to say about it, or the last line that it printed. */
function aboutOf({ decision, about, line }: FleetRow): string {
  return decision ? `[${decision.source}] ${safeLine(decision.title)}${blocked(decision)}` : about || line;
}

/** What waits for it is told too: of a job, its own line tells, and it may be in another project. */
function blocked({ blocks = [] }: NonNullable<FleetRow["decision"]>): string {
  return blocks.length > 0 ? `  (blocks ${safeLine(blocks.join(", "))})` : "";
}

/** Without room for both, the id that can be answered. A session's own id is longer than anybody types. */
function idOf({ id, kind, decision }: FleetRow, isNarrow: boolean): string {
  if (kind === "session") return decision?.id ?? `${safeLine(id).slice(0, 8)}…`;
  return isNarrow ? (decision?.id ?? id) : id;
}

const NEEDS_A_PERSON: readonly FleetState[] = ["hung", "failed", "owed"];
/** Below this width the mark alone shows the state. */
const WITH_STATUS = 100;
const ROOM = 24;

function linesOf(rows: readonly FleetRow[], { style, width, now }: StatusLook): string[] {
  const isNarrow = width !== undefined && width < WITH_STATUS;
  const asks = (it: FleetRow) => (it.decision && it.decision.id !== idOf(it, isNarrow) ? it.decision.id : "");
  const hasAsks = rows.some((it) => asks(it) !== "");
  const cells = rows.map((it) => [
    fleetMark(it.state, style),
    idOf(it, isNarrow),
    ...(isNarrow ? [] : [it.kind === "decision" && it.decision ? "asks" : it.state]),
    shortAge(now - it.since_ms),
    ...(hasAsks ? [asks(it)] : []),
    width ? truncate(it.name, Math.max(12, Math.floor(width / 4))) : it.name,
    aboutOf(it),
  ]);
  const last = (cells[0]?.length ?? 0) - 1;
  const age = isNarrow ? 2 : 3;
  const paint = (cell: string, at: number, column: number) => {
    const row = rows[at];
    if (column === last && row) return colourOf(row, style)(cell);
    return column === age ? style.dim(cell) : cell;
  };
  return table(cells, { width: width === undefined ? undefined : width - 2, room: ROOM, paint }).map(
    (line) => `  ${line}`,
  );
}

function colourOf({ state, decision, about }: FleetRow, style: Style): (text: string) => string {
  if (NEEDS_A_PERSON.includes(state)) return style.red;
  if (decision) return urgencyColour(decision.urgency, style);
  return about === "" ? style.dim : (text) => text;
}
