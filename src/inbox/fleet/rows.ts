/** The fleet as rows, whoever needs a person first: one description for `oj status`, the terminal and the web. */
import type {
  DecisionView,
  FailedRun,
  LiveAgent,
  ProjectFleet,
  RunView,
  SessionView,
} from "../../api/api.ts";
import { isCrewView } from "../../api/api.ts";
import { describeAge, shortAge } from "../../core/text/words.ts";
import { safeLine } from "../../text/safe.ts";
import { awayWords, deliveryWords, who } from "../card/words.ts";
import { messageWords, remarkBesides } from "./agent-remark.ts";
import { blockedWords, blockersOf } from "./blocked.ts";
import type { FleetRow, FleetState } from "./row.ts";
import { FLEET_STATES } from "./row.ts";

/** A pending decision, whole or in short. */
export type Asked = Pick<
  DecisionView,
  "id" | "project" | "title" | "source" | "urgency" | "created_at_ms" | "owner"
> &
  Partial<Pick<DecisionView, "blocks" | "blocking" | "meanwhile">>;

export type Fleet = Omit<ProjectFleet, "pending"> & { pending: readonly Asked[] };

export function rowsOf(fleet: Fleet, now: number): FleetRow[] {
  const { jobs, crews, agents, pending, project } = fleet;
  const asked: ReadonlyMap<string, Asked> = new Map(pending.map((it) => [it.id, it]));
  const runs: RunView[] = [...jobs, ...crews];
  const ofRuns = new Map(runs.map((it) => [it.id, agents.find((agent) => worksFor(agent, it))]));
  const others = agents.filter((it) => ![...ofRuns.values()].includes(it));
  const rows = [
    ...runs.map((it) => runRow(it, ofRuns.get(it.id), asked, now)),
    ...others.map((it) => agentRow(it, asked, now)),
    ...fleet.failed.map(failedRow),
    ...fleet.sessions.map((it) => sessionRow(it, asked, now)),
  ];
  const shown = new Set(rows.map((it) => it.decision?.id));
  const rest = [
    ...pending.filter((it) => !shown.has(it.id)).map((it) => decisionRow(it, project)),
    ...lateAnswers(fleet, now).map((it) => owedRow(it)),
  ];
  return [...rows, ...rest].sort(byNeed);
}

/** Nothing waits for the answer yet. All of these are pending. */
function isAside({ blocking }: Asked): boolean {
  return blocking === false;
}

/** Those of all projects in one list. */
export function fleetRows(fleets: readonly Fleet[], now: number): FleetRow[] {
  return fleets.flatMap((it) => rowsOf(it, now)).sort(byNeed);
}

/** Most answers arrive at once; these should have by now. */
export function lateAnswers({ owed }: Pick<Fleet, "owed">, now: number): DecisionView[] {
  return owed.filter((it) => now - (it.answer?.resolved_at_ms ?? now) >= LATE_MS);
}

const LATE_MS = 5000;

function byNeed(a: FleetRow, b: FleetRow): number {
  const rank = ({ state }: FleetRow) => FLEET_STATES.indexOf(state);
  return rank(a) - rank(b) || a.since_ms - b.since_ms || (a.id < b.id ? -1 : 1);
}

function worksFor({ id, owner }: LiveAgent, run: RunView): boolean {
  if (isCrewView(run)) return id === run.agent_id;
  return owner.kind === "job" && owner.id === run.id && owner.step === run.step;
}

function runRow(
  run: RunView,
  agent: LiveAgent | undefined,
  asked: ReadonlyMap<string, Asked>,
  now: number,
): FleetRow {
  const decision = asked.get(run.pending_decision ?? "") ?? null;
  const state = stateOf(run, agent, decision);
  const step = run.steps.find((it) => it.name === run.step);
  const begun = step?.started_at_ms ?? run.created_at_ms;
  return {
    id: run.id,
    kind: isCrewView(run) ? "crew" : "job",
    project: run.project,
    state,
    since_ms: sinceOf(state, agent, decision) ?? begun,
    name: safeLine(isCrewView(run) ? `crew ${run.name}` : `${run.name}${run.step ? ` · ${run.step}` : ""}`),
    about: placed(run.machine, agent, aboutRun(run, state, agent, now)),
    waits: agent ? messageWords(agent, now) : "",
    line: lineOf(agent),
    decision,
    agent_id: terminalOf(agent),
    run_id: run.id,
  };
}

/** "on anvil", "on anvil away since 2026-07-30 14:03; retries in 5 s". */
function placed(machine: string | null, agent: LiveAgent | undefined, about: string): string {
  if (machine === null) return about;
  const where = `on ${awayWords({ machine, away_since_ms: agent?.away_since_ms ?? null })}`;
  return about === "" ? where : `${where}; ${about}`;
}

function stateOf(run: RunView, agent: LiveAgent | undefined, decision: Asked | null): FleetState {
  if (agent && agent.hung_since_ms !== null) return "hung";
  if (run.status === "suspended") return "suspended";
  if (isRateLimited(agent) && (decision || !isStuck(run))) return "rate-limited";
  if (decision) return "waiting";
  if (!isCrewView(run) && blockersOf(run).length > 0) return "blocked";
  if (isStuck(run)) return "stuck";
  return agent ? agentState(agent) : "running";
}

/** The job or crew goes on only when somebody says so: its decision was dismissed. */
function isStuck(run: RunView): boolean {
  if (run.status !== "waiting") return false;
  if (isCrewView(run)) return true;
  const step = run.steps.find((it) => it.name === run.step);
  return step?.status === "waiting" && step.child_id === null;
}

function agentState(agent: LiveAgent): FleetState {
  if (agent.hung_since_ms !== null) return "hung";
  if (isRateLimited(agent)) return "rate-limited";
  if (agent.queued) return "queued";
  if (agent.cooling_until_ms !== null) return "retrying";
  return agent.status === "starting" ? "starting" : "working";
}

function isRateLimited(agent: LiveAgent | undefined): boolean {
  return agent?.status === "errored" && agent.error?.kind === "rate_limited";
}

function sinceOf(state: FleetState, agent: LiveAgent | undefined, decision: Asked | null): number | null {
  if (state === "hung") return agent?.hung_since_ms ?? null;
  return decision?.created_at_ms ?? agent?.changed_at_ms ?? null;
}

function aboutRun(run: RunView, state: FleetState, agent: LiveAgent | undefined, now: number): string {
  const resume = `oj ${isCrewView(run) ? "crew" : "job"} resume ${run.id}`;
  switch (state) {
    case "blocked":
      return isCrewView(run) ? "" : blockedWords(run);
    case "stuck":
      return `its decision was dismissed; continue with ${resume}`;
    case "suspended":
      return `suspended; continue with ${resume}`;
    case "hung":
      return run.pending_decision === null
        ? `no output and no report; its decision was dismissed, restart it with ${resume}`
        : "";
    default:
      return agent ? aboutAgent(agent, now) : "";
  }
}

function aboutAgent(agent: LiveAgent, now: number): string {
  const { queued, error, cooling_until_ms: until } = agent;
  if (queued)
    return `max_concurrency is ${queued.max}: ${queued.ahead} other ${safeLine(agent.name)} must end first`;
  const remark = remarkBesides({ ...agent, cooling_until_ms: null }, now);
  if (isRateLimited(agent) && remark === "") {
    const next = until === null ? "" : `; retries in ${shortAge(Math.max(5000, until - now))}`;
    return `${safeLine(error?.message ?? "")}${next}`;
  }
  return remarkBesides(agent, now);
}

function agentRow(agent: LiveAgent, asked: ReadonlyMap<string, Asked>, now: number): FleetRow {
  const decision = asked.get(agent.decision_id ?? "") ?? null;
  const own = agentState(agent);
  const state = decision && own !== "hung" && own !== "rate-limited" ? "waiting" : own;
  const { owner } = agent;
  return {
    id: agent.id,
    kind: "agent",
    project: agent.project,
    state,
    since_ms: sinceOf(state, agent, decision) ?? agent.changed_at_ms,
    name: safeLine(owner.kind === "job" ? `${owner.name} · ${owner.step}` : `crew ${owner.name}`),
    about: placed(agent.machine, agent, aboutAgent(agent, now)),
    waits: messageWords(agent, now),
    line: lineOf(agent),
    decision,
    agent_id: terminalOf(agent),
    run_id: null,
  };
}

function failedRow(run: FailedRun): FleetRow {
  const [why = ""] = run.error.split("\n");
  return {
    id: run.id,
    kind: run.id.startsWith("crew-") ? "crew" : "job",
    project: run.project,
    state: "failed",
    since_ms: run.failed_at_ms,
    name: safeLine(run.step === null ? run.name : `${run.name} · ${run.step}`),
    about: safeLine(why),
    waits: "",
    line: safeLine(run.tail.trimEnd().split("\n").at(-1) ?? ""),
    decision: null,
    agent_id: null,
    run_id: run.id,
  };
}

function sessionRow(session: SessionView, asked: ReadonlyMap<string, Asked>, now: number): FleetRow {
  const decision = session.pending.flatMap((it) => asked.get(it) ?? []).find((it) => !isAside(it)) ?? null;
  const { turns, turn_began_ms } = session;
  return {
    id: session.id,
    kind: "session",
    project: session.project,
    state: decision ? "waiting" : "session",
    since_ms: decision?.created_at_ms ?? session.seen_at_ms,
    name: safeLine(`session in ${session.cwd.split("/").at(-1) || session.cwd}`),
    waits: "",
    about: turns === 0 ? "no prompt yet" : `turn ${turns}, begun ${describeAge(now - turn_began_ms)}`,
    line: "",
    decision,
    agent_id: null,
    run_id: null,
  };
}

function decisionRow(decision: Asked, project: string): FleetRow {
  const { id, created_at_ms, owner } = decision;
  const run_id = owner.kind === "requester" ? null : owner.id;
  const rest = { about: "", waits: "", line: "", decision, agent_id: null, run_id };
  return {
    id,
    kind: "decision",
    project,
    state: isAside(decision) ? "aside" : "waiting",
    since_ms: created_at_ms,
    name: who(decision),
    ...rest,
  };
}

function owedRow(decision: DecisionView): FleetRow {
  const { id, project, answer, agent_id } = decision;
  return {
    id,
    kind: "decision",
    project,
    state: "owed",
    since_ms: answer?.resolved_at_ms ?? decision.created_at_ms,
    name: who(decision),
    about: `${deliveryWords(decision) ?? ""}: ${safeLine(decision.title)}`,
    waits: "",
    line: "",
    decision: null,
    agent_id,
    run_id: null,
  };
}

function lineOf(agent: LiveAgent | undefined): string {
  return agent ? safeLine(agent.last_line) : "";
}

/** Only an agent with a terminal can be looked at. */
function terminalOf(agent: LiveAgent | undefined): string | null {
  return !agent || agent.status === "starting" || agent.status === "exited" ? null : agent.id;
}
