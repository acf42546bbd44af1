/** The overview as lines: projects, what runs in them, and what waits. */
import type { DecisionView, JobView, ProjectStatus } from "../api.ts";
import { shortAge } from "../core/words.ts";
import type { Style } from "./command.ts";
import { urgencyColour } from "./decision/card.ts";
import { count, who } from "./decision/words.ts";
import { blockedWords } from "./job/blocked.ts";
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
  cells: string[];
  urgency: DecisionView["urgency"] | null;
}

/** A mark, the id, how it is, since when, what it is called, and the question it waits with. */
function jobRow(job: JobView, asked: ReadonlyMap<string, DecisionView>, { style, now }: StatusLook): Row {
  const decision = job.pending_decision ? asked.get(job.pending_decision) : undefined;
  const since = job.steps.find((it) => it.name === job.step)?.started_at_ms ?? job.created_at_ms;
  const name = safeLine(`${job.name}${job.step ? ` · ${job.step}` : ""}`);
  return {
    cells: [
      markOf(job.status, style),
      job.id,
      job.status,
      shortAge(now - (decision?.created_at_ms ?? since)),
      name,
      decision ? question(decision) : trouble(job),
    ],
    urgency: decision?.urgency ?? null,
  };
}

/** A job whose question was dismissed waits until somebody lets it go on. */
function trouble(job: JobView): string {
  const blocked = blockedWords(job);
  if (blocked !== "") return blocked;
  const step = job.steps.find((it) => it.name === job.step);
  const isDismissed = job.status === "waiting" && step?.status === "waiting" && step.child_id === null;
  return isDismissed ? `its question was dismissed; go on with oj job resume ${job.id}` : "";
}

function decisionRow(decision: DecisionView, { style, now }: StatusLook): Row {
  const age = shortAge(now - decision.created_at_ms);
  return {
    cells: [style.yellow("?"), decision.id, "asks", age, who(decision), question(decision)],
    urgency: decision.urgency,
  };
}

/** What waits for it is told too: of a job, its own line tells, and it may be in another project. */
function question({ source, title, blocks }: DecisionView): string {
  const waiting = blocks.length > 0 ? `  (blocks ${safeLine(blocks.join(", "))})` : "";
  return `[${source}] ${safeLine(title)}${waiting}`;
}

const NAME = 4;

function rowsOf(rows: readonly Row[], { style, width }: StatusLook): string[] {
  const cells = rows.map((it) =>
    it.cells.map((cell, at) =>
      at === NAME && width ? truncate(cell, Math.max(12, Math.floor(width / 3))) : cell,
    ),
  );
  const paint = (cell: string, row: number, column: number) => {
    const urgency = rows[row]?.urgency;
    if (column === NAME + 1 && urgency) return urgencyColour(urgency, style)(cell);
    return column === 3 ? style.dim(cell) : cell;
  };
  return table(cells, { width: width === undefined ? undefined : width - 2, room: 40, paint }).map(
    (line) => `  ${line}`,
  );
}
