/** The overview as lines: projects, what runs in them, and what waits. */
import type { LiveAgent, ProjectStatus, RunView } from "../api/api.ts";
import { silentBriefly } from "../core/text/hook-settings.ts";
import { count } from "../inbox/card/words.ts";
import { waitingMessages } from "../inbox/fleet/agent-remark.ts";
import { lateAnswers, rowsOf } from "../inbox/fleet/rows.ts";
import { widthOf, wrap } from "../text/layout.ts";
import { safeLine } from "../text/safe.ts";
import type { Style } from "../text/style.ts";
import { fleetLines } from "./fleet/lines.ts";

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
    ...headLines(status, look),
    ...fleetLines(rows, { ...look, withWaits: true }).map((line) => `  ${line}`),
    ...silentLines(status.agents, look),
  ]);
}

/** The project and its counts; what doesn't fit beside the name continues below it. */
function headLines(status: ProjectStatus, { style, width, now }: StatusLook): string[] {
  const name = safeLine(status.project);
  const words = counts(status, now);
  const [first = "", ...more] =
    width === undefined ? [words] : wrap(words, Math.max(20, width - widthOf(name) - 2));
  return [`${style.bold(name)}  ${style.dim(first)}`, ...more.map((it) => style.dim(`  ${it}`))];
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
  const aside = pending.filter((it) => it.blocking === false).length;
  const waiting = pending.length - aside;
  if (waiting > 0) words.push(`${count(waiting, "decision")} pending`);
  if (aside > 0) words.push(`${aside} asked aside`);
  const late = lateAnswers({ owed }, now).length;
  if (late > 0) words.push(`${count(late, "answer")} not delivered`);
  const said = agents.reduce((sum, it) => sum + waitingMessages(it, now).length, 0);
  if (said > 0) words.push(`${count(said, "message")} not delivered`);
  const hung = agents.filter((it) => it.hung_since_ms !== null).length;
  const working = agents.filter((it) => it.status === "working").length - hung;
  if (agents.length > 0)
    words.push(`${count(agents.length, "agent")} (${working} working${hung > 0 ? `, ${hung} hung` : ""})`);
  if (sessions.length > 0) words.push(count(sessions.length, "session"));
  return words.join(", ");
}
