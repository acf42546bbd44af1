/** The overview as lines: projects, what runs in them, and what waits. */
import type { AgentView, DecisionView, ProjectStatus, RunView } from "../api/api.ts";
import { isCrewView } from "../api/api.ts";
import { silentBriefly } from "../core/text/hook-settings.ts";
import { shortAge } from "../core/text/words.ts";
import { count, deliveryWords, who } from "../inbox/words.ts";
import { table, truncate } from "../text/layout.ts";
import { safeLine } from "../text/safe.ts";
import type { Style } from "../text/style.ts";
import { urgencyColour } from "./card/card.ts";
import { agentMark, agentRemark } from "./owner/agent-words.ts";
import { blockedWords } from "./owner/blocked.ts";
import { markOf } from "./owner/marks.ts";

export interface StatusLook {
  style: Style;
  /** Lines are cut to it; without it nothing is cut. */
  width?: number | undefined;
  now: number;
  project?: string | undefined;
}

export function statusLines(projects: readonly ProjectStatus[], look: StatusLook): string[] {
  const busy = projects.filter(
    (it) =>
      it.jobs.length + it.crews.length + it.pending.length + it.agents.length + late(it, look).length > 0,
  );
  if (busy.length === 0) {
    return [
      `nothing is running and nothing is waiting${look.project ? ` in project ${safeLine(look.project)}` : ""}`,
    ];
  }
  return busy.flatMap((it, at) => [...(at > 0 ? [""] : []), ...projectLines(it, look)]);
}

/** The agent of a job or crew is shown in its row; one that outlives its step, in a row of its own. */
function projectLines(status: ProjectStatus, look: StatusLook): string[] {
  const { project, pending, agents } = status;
  const jobs: RunView[] = [...status.jobs, ...status.crews];
  const { style } = look;
  const asked = new Map<string, DecisionView>(pending.map((it) => [it.id, it]));
  const ofJobs = new Map(jobs.map((it) => [it.id, agents.find((agent) => worksFor(agent, it))]));
  const others = agents.filter((it) => ![...ofJobs.values()].includes(it));
  const shown = new Set([...jobs.map((it) => it.pending_decision), ...others.map((it) => it.decision_id)]);
  const rows = [
    ...jobs.map((it) => jobRow(it, ofJobs.get(it.id), asked, look)),
    ...others.map((it) => agentRow(it, asked, look)),
    ...pending.filter((it) => !shown.has(it.id)).map((it) => decisionRow(it, look)),
    ...late(status, look).map((it) => owedRow(it, look)),
  ];
  return [
    `${style.bold(safeLine(project))}  ${style.dim(counts(jobs, pending, agents, late(status, look).length))}`,
    ...rowsOf(rows, look),
    ...silentLines(agents, look),
  ];
}

/** Agents whose clients don't report, by what switched that off: they are still served, but not as well. */
function silentLines(agents: readonly AgentView[], { style }: StatusLook): string[] {
  const ids = new Map<string, string[]>();
  for (const { id, silent } of agents)
    if (silent) ids.set(silentBriefly(silent), [...(ids.get(silentBriefly(silent)) ?? []), id]);
  return [...ids].map(
    ([why, all]) =>
      `  ${style.yellow("!")} ${safeLine(all.join(", "))}: ${safeLine(why)}; read from the screen, answered with keystrokes: oj agent show ${all[0]}`,
  );
}

/** "2 running, 1 waiting, 1 decision pending, 3 agents (2 working)". */
function counts(jobs: RunView[], pending: DecisionView[], agents: AgentView[], owed: number): string {
  const words = (["running", "waiting", "suspended"] as const).flatMap((status) => {
    const number = jobs.filter((it) => it.status === status).length;
    return number > 0 ? [`${number} ${status}`] : [];
  });
  if (pending.length > 0) words.push(`${count(pending.length, "decision")} pending`);
  if (owed > 0) words.push(`${count(owed, "answer")} not delivered`);
  const working = agents.filter((it) => it.status === "working").length;
  if (agents.length > 0) words.push(`${count(agents.length, "agent")} (${working} working)`);
  return words.join(", ");
}

function worksFor({ id, owner }: AgentView, job: RunView): boolean {
  if (isCrewView(job)) return id === job.agent_id;
  return owner.kind === "job" && owner.id === job.id && owner.step === job.step;
}

interface Row {
  mark: string;
  id: string;
  status: string;
  age: string;
  name: string;
  /** The question it waits for, or what else there is to say about it. */
  about: string;
  urgency: DecisionView["urgency"] | null;
}

type Asked = ReadonlyMap<string, DecisionView>;

function jobRow(job: RunView, agent: AgentView | undefined, asked: Asked, { style, now }: StatusLook): Row {
  const decision = asked.get(job.pending_decision ?? "");
  const since = job.steps.find((it) => it.name === job.step)?.started_at_ms ?? job.created_at_ms;
  return {
    mark: markOf(job.status, style),
    id: job.id,
    status: job.status,
    age: shortAge(now - (decision?.created_at_ms ?? since)),
    name: safeLine(isCrewView(job) ? `crew ${job.name}` : `${job.name}${job.step ? ` · ${job.step}` : ""}`),
    about: decision
      ? `${job.status === "suspended" ? "suspended; " : ""}${question(decision)}`
      : (isCrewView(job) ? "" : blockedWords(job)) || stuck(job) || agentWords(agent, now),
    urgency: decision?.urgency ?? null,
  };
}

/** A job or crew that continues only when somebody says so. */
function stuck(job: RunView): string {
  if (isCrewView(job))
    return job.status === "waiting"
      ? `its decision was dismissed; continue with oj crew resume ${job.id}`
      : "";
  const step = job.steps.find((it) => it.name === job.step);
  const isDismissed = job.status === "waiting" && step?.status === "waiting" && step.child_id === null;
  if (!isDismissed && job.status !== "suspended") return "";
  return `${isDismissed ? "its decision was dismissed" : "suspended"}; continue with oj job resume ${job.id}`;
}

function agentWords(agent: AgentView | undefined, now: number): string {
  if (!agent) return "";
  const state = `agent ${safeLine(agent.name)}: ${agent.status} ${shortAge(now - agent.changed_at_ms)}`;
  return agentRemark(agent, now) || state;
}

function agentRow(agent: AgentView, asked: Asked, { style, now }: StatusLook): Row {
  const decision = asked.get(agent.decision_id ?? "");
  const { owner } = agent;
  return {
    mark: agentMark(agent.status, style),
    id: agent.id,
    status: agent.status,
    age: shortAge(now - (decision?.created_at_ms ?? agent.changed_at_ms)),
    name: safeLine(owner.kind === "job" ? `${owner.name} · ${owner.step}` : `crew ${owner.name}`),
    about: decision ? question(decision) : agentRemark(agent, now),
    urgency: decision?.urgency ?? null,
  };
}

function decisionRow(decision: DecisionView, { style, now }: StatusLook): Row {
  return {
    mark: style.yellow("?"),
    id: decision.id,
    status: "asks",
    age: shortAge(now - decision.created_at_ms),
    name: who(decision),
    about: question(decision),
    urgency: decision.urgency,
  };
}

/** Most answers arrive at once; this one should have by now. */
const LATE_MS = 5000;

function late({ owed }: ProjectStatus, { now }: StatusLook): DecisionView[] {
  return owed.filter((it) => now - (it.answer?.resolved_at_ms ?? now) >= LATE_MS);
}

function owedRow(decision: DecisionView, { style, now }: StatusLook): Row {
  return {
    mark: style.red("!"),
    id: decision.id,
    status: "owed",
    age: shortAge(now - (decision.answer?.resolved_at_ms ?? now)),
    name: who(decision),
    about: `${deliveryWords(decision) ?? ""}: ${safeLine(decision.title)}`,
    urgency: "high",
  };
}

/** What waits for it is told too: of a job, its own line tells, and it may be in another project. */
function question({ source, title, blocks }: DecisionView): string {
  const waiting = blocks.length > 0 ? `  (blocks ${safeLine(blocks.join(", "))})` : "";
  return `[${source}] ${safeLine(title)}${waiting}`;
}

const NAME = 4;
/** Below this width the mark alone shows the state. */
const WITH_STATUS = 100;
const ROOM = 24;

function rowsOf(rows: readonly Row[], { style, width }: StatusLook): string[] {
  const isNarrow = width !== undefined && width < WITH_STATUS;
  const cells = rows.map((it) => [
    it.mark,
    it.id,
    ...(isNarrow ? [] : [it.status]),
    it.age,
    width ? truncate(it.name, Math.max(12, Math.floor(width / 4))) : it.name,
    it.about,
  ]);
  const about = isNarrow ? NAME : NAME + 1;
  const paint = (cell: string, row: number, column: number) => {
    const urgency = rows[row]?.urgency;
    if (column === about && urgency) return urgencyColour(urgency, style)(cell);
    return column === about - 2 ? style.dim(cell) : cell;
  };
  return table(cells, { width: width === undefined ? undefined : width - 2, room: ROOM, paint }).map(
    (line) => `  ${line}`,
  );
}
