/** The overview as lines: projects, what runs in them, and what waits. */
import type { DecisionView, JobView, ProjectStatus } from "../api.ts";
import { shortAge } from "../core/words.ts";
import type { Style } from "./command.ts";
import { urgencyColour } from "./decision/card.ts";
import { count, who } from "./decision/words.ts";
import { markOf } from "./job/marks.ts";
import { table, truncate } from "./layout.ts";
import { safeLine } from "./safe.ts";

export interface StatusLook {
  style: Style;
  /** Lines are cut to it; without it nothing is cut. */
  width?: number | undefined;
  now: number;
  project?: string | undefined;
}

export function statusLines(projects: readonly ProjectStatus[], look: StatusLook): string[] {
  const busy = projects.filter((it) => it.jobs.length + it.pending.length > 0);
  if (busy.length === 0) {
    return [`nothing runs and nothing waits${look.project ? ` in project ${safeLine(look.project)}` : ""}`];
  }
  return busy.flatMap((it, at) => [...(at > 0 ? [""] : []), ...projectLines(it, look)]);
}

function projectLines({ project, jobs, pending }: ProjectStatus, look: StatusLook): string[] {
  const { style } = look;
  const number = (status: JobView["status"]) => jobs.filter((it) => it.status === status).length;
  const counts = [
    ...(["running", "waiting", "suspended"] as const).flatMap((status) =>
      number(status) > 0 ? [`${number(status)} ${status}`] : [],
    ),
    ...(pending.length > 0 ? [`${count(pending.length, "decision")} pending`] : []),
  ];
  const asked = new Map(pending.map((it) => [it.id, it]));
  const shown = new Set(jobs.flatMap((it) => (it.pending_decision ? [it.pending_decision] : [])));
  const others = pending.filter((it) => !shown.has(it.id));
  return [
    `${style.bold(safeLine(project))}  ${style.dim(counts.join(", "))}`,
    ...rowsOf(
      [...jobs.map((it) => jobRow(it, asked, look)), ...others.map((it) => decisionRow(it, look))],
      look,
    ),
  ];
}

interface Row {
  mark: string;
  cells: string[];
  paintLast: (text: string) => string;
}

/** job, what it is at, its name, and the question it waits with. */
function jobRow(job: JobView, asked: ReadonlyMap<string, DecisionView>, { style, now }: StatusLook): Row {
  const decision = job.pending_decision ? asked.get(job.pending_decision) : undefined;
  const since = job.steps.find((it) => it.name === job.step)?.started_at_ms ?? job.created_at_ms;
  const at = decision ? decision.created_at_ms : since;
  const name = `${safeLine(job.name)}${job.step ? ` · ${safeLine(job.step)}` : ""}`;
  return {
    mark: markOf(job.status, style),
    cells: [job.id, job.status, shortAge(now - at), name, decision ? question(decision) : ""],
    paintLast: decision ? urgencyColour(decision.urgency, style) : (text) => text,
  };
}

function decisionRow(decision: DecisionView, { style, now }: StatusLook): Row {
  return {
    mark: style.yellow("?"),
    cells: [decision.id, "asks", shortAge(now - decision.created_at_ms), who(decision), question(decision)],
    paintLast: urgencyColour(decision.urgency, style),
  };
}

function question({ source, title }: DecisionView): string {
  return `[${source}] ${safeLine(title)}`;
}

function rowsOf(rows: readonly Row[], { style, width }: StatusLook): string[] {
  const cells = rows.map((it) =>
    it.cells.map((cell, at) =>
      at === 3 && width ? truncate(cell, Math.max(12, Math.floor(width / 4))) : cell,
    ),
  );
  const lines = table(cells, {
    width: width === undefined ? undefined : width - 4,
    paint: (cell, row, column) =>
      column === 4 ? (rows[row]?.paintLast(cell) ?? cell) : column === 2 ? style.dim(cell) : cell,
  });
  return lines.map((line, at) => `  ${rows[at]?.mark} ${line}`);
}
