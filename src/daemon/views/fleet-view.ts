/** How things are in each project, for `oj status` and the fleet views. What only the agents' terminals tell comes later. */
import type { ProjectFleet, ProjectStatus, SessionView } from "../../api/api.ts";
import { briefOf } from "../../core/decision/brief.ts";
import { crewHasEnded } from "../../core/model/agent-types.ts";
import type { Decision } from "../../core/model/decision-types.ts";
import { loosened } from "../../core/model/fixed.ts";
import type { HookedSession } from "../../core/model/session-types.ts";
import type { State } from "../../core/model/state/state.ts";
import { owedAnswers } from "../../core/outbox/owed-answers.ts";
import { crewView } from "./crew-view.ts";
import { failedRuns } from "./failed-view.ts";
import { selectPending } from "./select-decisions.ts";
import { activeJobs, agentView, decisionView, jobView } from "./views.ts";

/** A session that nobody has heard of for this long is most likely closed: its client doesn't say so. */
const SESSION_MS = 12 * 3_600_000;

export function statusView(
  state: Readonly<State>,
  project: string | undefined,
  now: number,
): ProjectStatus[] {
  return viewOf(state, project, now, () => true, decisionView);
}

/** Without the decisions that nobody here waits for: there may be ten thousand of those. */
export function fleetView(state: Readonly<State>, project: string | undefined, now: number): ProjectFleet[] {
  const isTheirs = ({ owner, agent_id, session }: Decision) =>
    owner.kind !== "requester" || agent_id !== null || session !== null;
  return viewOf(state, project, now, isTheirs, (it) =>
    loosened<ProjectFleet["pending"][number]>(briefOf(it)),
  );
}

function viewOf<P extends { pending: unknown[] } & Omit<ProjectStatus, "pending">>(
  state: Readonly<State>,
  project: string | undefined,
  now: number,
  wanted: (decision: Decision) => boolean,
  asView: (decision: Decision) => P["pending"][number],
): P[] {
  const all = new Map<string, P>();
  const at = (name: string): P => {
    const empty = { jobs: [], crews: [], pending: [], agents: [], sessions: [], failed: [], owed: [] };
    const found = all.get(name) ?? ({ project: name, ...empty } as unknown as P);
    all.set(name, found);
    return found;
  };
  const pending = selectPending(state, {}).filter(wanted);
  for (const job of activeJobs(state)) at(job.project).jobs.push(jobView(job, state));
  for (const crew of state.crews.values())
    if (!crewHasEnded(crew)) at(crew.project).crews.push(crewView(crew, state));
  for (const agent of state.agents.values())
    if (agent.status !== "ended")
      at(agent.project).agents.push({
        ...agentView(agent, state),
        last_line: "",
        heard_at_ms: null,
        away_since_ms: null,
      });
  for (const session of sessionViews(state, pending, now)) at(session.project).sessions.push(session);
  for (const run of failedRuns(state, project)) at(run.project).failed.push(run);
  for (const decision of pending) at(decision.project).pending.push(asView(decision));
  for (const decision of owedAnswers(state)) at(decision.project).owed.push(decisionView(decision));
  return [...all.values()]
    .filter((it) => project === undefined || it.project === project)
    .sort((a, b) => a.project.localeCompare(b.project));
}

function sessionViews(state: Readonly<State>, pending: readonly Decision[], now: number): SessionView[] {
  const asked = new Map<string, Decision[]>();
  for (const it of pending)
    if (it.session !== null) asked.set(it.session, [...(asked.get(it.session) ?? []), it]);
  const isHere = ({ id, seen_at_ms }: HookedSession) => asked.has(id) || now - seen_at_ms < SESSION_MS;
  return [...state.sessions.values()].filter(isHere).map((session) => {
    const { id, project, cwd, turns, turn_began_ms, seen_at_ms } = session;
    const own = (asked.get(id) ?? []).toSorted((a, b) => a.created_at_ms - b.created_at_ms);
    return { id, project, cwd, turns, turn_began_ms, seen_at_ms, pending: own.map((it) => it.id) };
  });
}
