/** What was promised and not yet done: after a commit for whatever it touched, after a crash for everything. */

import { gateRunOf } from "./flow/gate-run.ts";
import { shellRunOf } from "./flow/shell-run.ts";
import { mirrorEffects } from "./mirror/mirror.ts";
import type { Agent, Parcel } from "./model/agent-types.ts";
import type { Effect } from "./model/effects.ts";
import { effectKey } from "./model/effects.ts";
import type { Event } from "./model/events.ts";
import { faceOf, isDue } from "./model/face.ts";
import type { AgentId, DecisionId, JobId, OwnerId } from "./model/ids.ts";
import type { Job } from "./model/job-types.ts";
import { hasEnded, stepOf } from "./model/job-types.ts";
import type { State } from "./model/state/state.ts";
import { isDue as isStartDue } from "./outbox/agent-life.ts";
import { hasRoom, isSame } from "./outbox/room.ts";
import { escalationEffects } from "./reach/escalation.ts";
import { closingEffects, staleEffect } from "./request/age.ts";

/** What the person's settings ask for, besides what the state says itself. */
export interface Duties {
  /** Somebody is configured to hear of decisions. */
  routes: boolean;
  /** A decision that has been pending for so long is stale; null: none is. */
  stale_after_ms: number | null;
}

const NO_DUTIES: Duties = { routes: false, stale_after_ms: null };

/** Every chore that is due in this state, whether or not it has been started. */
export function owed(state: Readonly<State>, duties = NO_DUTIES): Effect[] {
  const effects: Effect[] = [];
  for (const id of state.active) {
    const job = state.jobs.get(id);
    if (job) effects.push(...owedBy(state, job));
  }
  for (const agent of state.agents.values()) effects.push(...owedByAgent(state, agent));
  for (const id of state.held) effects.push(...releaseOf(state, id));
  for (const id of state.timed) effects.push(...waitingFor(state, id));
  for (const id of state.fresh.keys()) effects.push(...agingOf(state, id, duties));
  for (const trash of state.trash.values()) effects.push({ type: "purge-job", ...trash });
  for (const id of state.untold) effects.push(...tellOf(state, id));
  for (const id of state.unmirrored.keys()) effects.push(...mirrorEffects(state, id));
  if (duties.routes) for (const id of state.pending) effects.push(...routeOf(state, id));
  return effects;
}

/** The chores that follow from these events: what is owed by whatever they touched. */
export function effectsOf(state: Readonly<State>, events: readonly Event[], duties = NO_DUTIES): Effect[] {
  const effects: Effect[] = [];
  for (const id of touched(events)) {
    effects.push(...owedFor(state, id, duties));
    if (duties.routes) effects.push(...lateRouteOf(state, id as DecisionId, events));
    const agent = state.agents.get(id as AgentId);
    if (agent) effects.push(...owedBehind(state, agent));
  }
  // what was deleted may have had agents that had not ended yet: nobody knows their names any more
  if (events.some((it) => /^(job|crew):purged$/.test(it.type)))
    effects.push(...owedToWaiting(state, () => true));
  return effects;
}

/** Whether this chore is still due. Looks only at whatever owes it. */
export function isOwed(state: Readonly<State>, effect: Effect): boolean {
  const key = effectKey(effect);
  const stale_after_ms = effect.type === "mark-stale" ? effect.until_ms - effect.from_ms : null;
  return owedFor(state, owingOf(effect), { routes: true, stale_after_ms }).some(
    (it) => effectKey(it) === key,
  );
}

/** Whatever owes this chore. */
export function owingOf(effect: Effect): Owing {
  if ("agent_id" in effect) return effect.agent_id;
  return "decision_id" in effect ? effect.decision_id : effect.job_id;
}

/** What this job, crew, agent or decision owes. */
export function owedFor(state: Readonly<State>, id: Owing, duties = NO_DUTIES): Effect[] {
  const job = state.jobs.get(id as JobId);
  const trash = state.trash.get(id as OwnerId);
  const agent = state.agents.get(id as AgentId);
  return [
    ...(job ? owedBy(state, job) : []),
    ...(trash ? [{ type: "purge-job" as const, ...trash }] : []),
    ...(agent ? owedByAgent(state, agent) : []),
    ...releaseOf(state, id as DecisionId),
    ...tellOf(state, id as DecisionId),
    ...mirrorEffects(state, id as DecisionId),
    ...(duties.routes ? routeOf(state, id as DecisionId) : []),
    ...waitingFor(state, id as DecisionId),
    ...agingOf(state, id as DecisionId, duties),
  ];
}

/** Whatever may owe a chore. */
export type Owing = OwnerId | AgentId | DecisionId;

/** The jobs, crews, agents and decisions that these events say something about. */
export function touched(events: readonly Event[]): Set<Owing> {
  const ids = new Set<Owing>();
  for (const event of events) {
    if (/^(job|crew|agent|decision|escalation|notice):/.test(event.type))
      ids.add((event as { id: Owing }).id);
    else if (event.type === "mirror:on") for (const id of event.decision_ids) ids.add(id);
    else if (event.type.startsWith("step:")) ids.add((event as { job_id: JobId }).job_id);
  }
  return ids;
}

/** What happens while nobody answers. */
function waitingFor({ decisions, timed }: Readonly<State>, id: DecisionId): Effect[] {
  const decision = timed.has(id) ? decisions.get(id) : undefined;
  return decision ? [...escalationEffects(decision), ...closingEffects(decision)] : [];
}

function agingOf({ fresh, held }: Readonly<State>, id: DecisionId, { stale_after_ms }: Duties): Effect[] {
  const it = stale_after_ms === null || held.has(id) ? undefined : fresh.get(id);
  return it && stale_after_ms !== null ? [staleEffect(it, stale_after_ms)] : [];
}

/** An answer on hold goes out by itself when its undo window ends. */
function releaseOf({ decisions, held }: Readonly<State>, decision_id: DecisionId): Effect[] {
  const decision = held.has(decision_id) ? decisions.get(decision_id) : undefined;
  if (!decision?.held) return [];
  const { held_at_ms: from_ms, release_at_ms: until_ms } = decision.held;
  return [{ type: "release-answer", decision_id, project: decision.project, from_ms, until_ms }];
}

function routeOf({ decisions, pending, routed }: Readonly<State>, decision_id: DecisionId): Effect[] {
  const decision = pending.has(decision_id) && !routed.has(decision_id) && decisions.get(decision_id);
  return decision ? [{ type: "route", decision_id, project: decision.project }] : [];
}

const SETTLING = /^decision:(resolved|superseded|withdrawn|expired)$/;

/** It was settled before anybody looked who hears of it: whoever keeps a log of everything still does. */
function lateRouteOf(
  { decisions }: Readonly<State>,
  decision_id: DecisionId,
  events: readonly Event[],
): Effect[] {
  if (!events.some((it) => SETTLING.test(it.type) && "id" in it && it.id === decision_id)) return [];
  const decision = decisions.get(decision_id);
  const isLate = decision && decision.state !== "pending" && !decision.reach;
  return isLate ? [{ type: "route", decision_id, project: decision.project }] : [];
}

/** A message that does not show how the decision stands, or was not sent at all. */
function tellOf({ decisions, untold }: Readonly<State>, decision_id: DecisionId): Effect[] {
  const decision = untold.has(decision_id) ? decisions.get(decision_id) : undefined;
  if (!decision?.reach) return [];
  const { project, reach } = decision;
  const face = faceOf(decision);
  return reach.notices.flatMap((it): Effect[] => {
    if (!isDue(it, decision)) return [];
    const until_ms = it.shows === null ? (it.digest_at_ms ?? 0) : 0;
    return [{ type: "tell", decision_id, project, key: it.key, face, from_ms: it.at_ms, until_ms }];
  });
}

/**
 * One thing at a time: first stop or start the agent, then run its gate, then wake it and deliver what it must be told.
 */
function owedByAgent(state: Readonly<State>, agent: Agent): Effect[] {
  const { id: agent_id, project, incarnation } = agent;
  if (agent.status === "ended") return [];
  if (agent.stopping) return [{ type: "stop-agent", agent_id, project, incarnation }];
  if (isStartDue(agent))
    return hasRoom(state, agent) ? [{ type: "start-agent", agent_id, project, incarnation }] : [];
  if (agent.gate) return [{ type: "run-gate", agent_id, ...gateRunOf(state, agent, agent.gate) }];
  const effects: Effect[] = [];
  if (agent.cooling)
    effects.push({
      type: "wake-agent",
      agent_id,
      project,
      from_ms: agent.cooling.from_ms,
      until_ms: agent.cooling.until_ms,
    });
  const parcel = agent.outbox.find((it) => it.state === "owed" && canReceive(agent, it));
  if (parcel) effects.push({ type: "deliver", agent_id, project, incarnation, parcel });
  return effects;
}

/** When an agent has ended: what is owed by its job, and by those that waited for its place. */
function owedBehind(state: Readonly<State>, agent: Agent): Effect[] {
  if (agent.status !== "ended") return [];
  const job = state.jobs.get(agent.owner.id as JobId);
  const waiting =
    agent.def.max_concurrency === undefined ? [] : owedToWaiting(state, (it) => isSame(it, agent));
  return [...(job ? owedBy(state, job) : []), ...waiting];
}

/** What is owed to agents that may have waited for a place. */
function owedToWaiting(state: Readonly<State>, mayHave: (it: Agent) => boolean): Effect[] {
  return [...state.agents.values()]
    .filter((it) => it.def.max_concurrency !== undefined && isStartDue(it) && mayHave(it))
    .flatMap((it) => owedByAgent(state, it));
}

/** An answer goes to the dialog it is for; words go to an agent that waits for words. */
function canReceive(agent: Agent, parcel: Parcel): boolean {
  if (!agent.spawned) return false;
  if (parcel.reply && agent.status === "prompting") return agent.prompt?.key === parcel.prompt_key;
  return agent.status === "idle" || agent.status === "errored";
}

function owedBy(state: Readonly<State>, job: Job): Effect[] {
  const { id: job_id, project, root } = job;
  if (hasEnded(job)) {
    const { workspace, status } = job;
    if (!workspace || status === "failed" || hasAgents(state, job)) return [];
    return [{ type: "remove-workspace", job_id, project, workspace }];
  }
  if (!job.prepared && job.def.workspace) {
    return [{ type: "make-workspace", job_id, project, root, workspace: job.def.workspace }];
  }
  if (job.step === null) return [];
  const step = stepOf(job, job.step);
  if (step.status !== "running" || step.run_id === null || step.agent_id !== null) return []; // an agent is stopped, not a shell
  if (job.cancelling) return [{ type: "stop-shell", job_id, project, run_id: step.run_id }];
  const run = shellRunOf(job);
  return run ? [{ type: "run-shell", ...run }] : [];
}

/** Agents that are being ended may still write into the job's folder. */
function hasAgents({ agents }: Readonly<State>, { id }: Job): boolean {
  for (const { owner, status } of agents.values()) if (owner.id === id && status !== "ended") return true;
  return false;
}
