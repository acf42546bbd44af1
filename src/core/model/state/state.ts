/** The whole state, folded from events. `apply` never refuses and never reads a clock. */

import type { PersonFact } from "../../roles/people.ts";
import type { AgentFact, CrewFact } from "../agent-facts.ts";
import type { Agent, Crew } from "../agent-types.ts";
import { crewHasEnded } from "../agent-types.ts";
import type { Decision } from "../decision-types.ts";
import { successorOf } from "../decision-types.ts";
import { foldErased } from "../erased/fold.ts";
import type { Event, MachineFact, Stamp } from "../events.ts";
import type { AgentId, CrewId, DecisionId, JobId, MachineName, OwnerId, RunId } from "../ids.ts";
import type { Job } from "../job-types.ts";
import { hasEnded } from "../job-types.ts";
import type { PolicyBook, PolicyFact } from "../policy-types.ts";
import type { Queue, QueueFact, Recipient } from "../queue-types.ts";
import type { EscalationFact, NoticeFact } from "../reach-types.ts";
import type { HookedSession, SessionFact } from "../session-types.ts";
import { DecisionMap } from "./decision-map.ts";
import { foldAgent, foldCrew, newAgent, newCrew } from "./fold-agent.ts";
import { foldDecision } from "./fold-decision.ts";
import { foldEscalation } from "./fold-escalation.ts";
import { copyJob, foldJob, giveAgent, newJob } from "./fold-job.ts";
import { foldMirror, foldMirrored, noteDeleted, noteUnmirrored } from "./fold-mirror.ts";
import { foldNotice, noteUntold } from "./fold-notice.ts";
import { countPast } from "./fold-past.ts";
import { forgetAsking, forgetTimes, noteAsking, noteTimes } from "./fold-pending.ts";
import { foldPolicy, forgetRules, noteUse } from "./fold-policy.ts";
import { foldQueue, forgetAnswer } from "./fold-queue.ts";
import { foldOffer, foldSession } from "./fold-session.ts";
import { foldMachine, foldPeople } from "./fold-team.ts";
import { homeOf } from "./home.ts";
import { Parked } from "./parked.ts";
import type { Folding, State } from "./state-types.ts";
import { Table } from "./table.ts";

export type { State };

/** The whole state in memory, as the engine owns it. */
export interface WholeState extends Folding {
  readonly decisions: DecisionMap;
  readonly jobs: Parked<JobId, Job>;
  readonly agents: Table<AgentId, Agent>;
  readonly crews: Table<CrewId, Crew>;
  readonly sessions: Table<string, HookedSession>;
  readonly queues: Table<Recipient, Queue>;
  readonly policies: Table<string, PolicyBook>;
}

/** The state for a reader who may keep what they see: no later event changes it. */
export function lent(state: WholeState): State {
  const { decisions, jobs, agents, crews, sessions, queues, policies } = state;
  for (const table of [decisions, jobs, agents, crews, sessions, queues, policies]) table.lend();
  return state;
}

export function emptyState(): WholeState {
  return {
    seq: 0,
    decisions: new DecisionMap(),
    jobs: new Parked(copyJob),
    agents: new Table(),
    crews: new Table(),
    sessions: new Table(),
    queues: new Table(),
    machines: new Table(),
    people: new Table(),
    removed: new Table(),
    retries: new Table(),
    trash: new Table(),
    past: new Table(),
    policies: new Table(),
    mirrors: new Table(),
    unmirrored: new Table(),
    pending: new Set(),
    asking: new Table(),
    held: new Set(),
    unfollowed: new Set(),
    active: new Set(),
    unseen: new Set(),
    routed: new Set(),
    untold: new Set(),
    timed: new Set(),
    fresh: new Table(),
  };
}

export function replay(events: Iterable<Event>, state: WholeState = emptyState()): WholeState {
  for (const event of events) apply(state, event);
  return state;
}

/** Folds one event. A type that this version doesn't know is skipped: the log keeps it for one that does. */
export function apply(state: Folding, event: Event): void {
  state.seq = event.seq;
  const type: string = event.type;
  if (type.startsWith("decision:")) applyDecision(state, event);
  else if (type.startsWith("notice:")) {
    foldNotice(state, event as NoticeFact & Stamp);
    forgetRetries(state, (event as NoticeFact).id);
  } else if (type.startsWith("escalation:")) foldEscalation(state, event as EscalationFact & Stamp);
  else if (type.startsWith("job:") || type.startsWith("step:")) applyJob(state, event);
  else if (type.startsWith("agent:")) applyAgent(state, event as AgentFact & Stamp);
  else if (type.startsWith("crew:")) applyCrew(state, event as CrewFact & Stamp);
  else if (type.startsWith("session:")) foldSession(state, event as SessionFact & Stamp);
  else if (type.startsWith("inject:")) foldQueue(state.queues, event as QueueFact & Stamp);
  else if (type.startsWith("policy:")) foldPolicy(state.policies, event as PolicyFact & Stamp);
  else if (type.startsWith("machine:")) foldMachine(state, event as MachineFact & Stamp);
  else if (type.startsWith("person:")) foldPeople(state, event as PersonFact & Stamp);
  else if (event.type === "audit:erased") foldErased(state, event);
  else if (event.type === "mirror:on" || event.type === "mirror:off") foldMirror(state, event);
  else if (event.type === "effect:failed") {
    const { key, effect, attempt, error, retry_at_ms, at_ms, decision_id } = event;
    const decision = decision_id && state.decisions.open(decision_id);
    if (decision) decision.delivery = { ...decision.delivery, attempts: attempt, error };
    state.retries.set(key, { key, effect, attempt, error, failed_at_ms: at_ms, retry_at_ms });
  } else if (event.type === "effect:late") {
    const decision = event.decision_id && state.decisions.open(event.decision_id);
    if (decision && isUnderWay(decision.delivery.state))
      decision.delivery = { ...decision.delivery, error: event.waits_for };
  }
}

function isUnderWay(state: Decision["delivery"]["state"]): boolean {
  return state === "owed" || state === "delivered";
}

function applyAgent(state: Folding, fact: AgentFact & Stamp): void {
  if (fact.type === "agent:created") {
    state.agents.set(fact.id, newAgent(fact));
    const { owner } = fact;
    const job = owner.kind === "job" ? state.jobs.open(owner.id) : undefined;
    if (job && owner.kind === "job") giveAgent(job, owner.step, fact.id);
    return;
  }
  if (fact.type === "agent:refused" || fact.type === "agent:keyed") return; // these change nothing in the agent
  const agent = state.agents.open(fact.id);
  if (!agent) return;
  foldAgent(agent, fact);
  forgetRetries(state, fact.id);
}

function applyCrew(state: Folding, fact: CrewFact & Stamp): void {
  if (fact.type === "crew:created") {
    state.crews.set(fact.id, newCrew(fact));
    return;
  }
  if (fact.type === "crew:deleted") return deleteOwner(state, fact, state.crews.get(fact.id));
  if (fact.type === "crew:purged") return purged(state, fact.id);
  const crew = state.crews.open(fact.id);
  if (!crew) return;
  foldCrew(crew, fact);
  if (crewHasEnded(crew)) forgetRules(state.policies, crew);
  applySight(state, fact);
}

function applyDecision(state: Folding, event: Event): void {
  if (event.type === "decision:deleted") {
    const recipient = state.queues.size > 0 && state.decisions.gist(event.id)?.recipient;
    if (recipient) forgetAnswer(state.queues, recipient, event.id);
    return deleteDecision(state, event.id, event.at_ms);
  }
  if (event.type === "decision:mirrored") return foldMirrored(state, event);
  const decision = foldDecision(state.decisions, event, homeFor(state, event));
  if (!decision) return;
  if (decision.state === "pending") state.pending.add(decision.id);
  else state.pending.delete(decision.id);
  noteAsking(state, decision);
  if (event.type === "decision:created" && decision.session !== null) foldOffer(state.sessions, decision);
  if (event.type === "decision:acknowledged" && decision.recipient)
    forgetAnswer(state.queues, decision.recipient, decision.id);
  if (decision.held) state.held.add(decision.id);
  else state.held.delete(decision.id);
  applyFollowing(state, event.type, decision);
  noteUntold(state, decision);
  noteUnmirrored(state, decision, event.type);
  if (event.type === "decision:resolved") noteUse(state.policies, decision, event.at_ms);
  noteTimes(state, decision);
}

/** Where a new decision belongs: an answer that was given elsewhere may have led to it, so it is where its work runs. */
function homeFor(state: Folding, event: Event): MachineName | undefined {
  if (event.type !== "decision:created" || event.machine === undefined) return undefined;
  const { kind, id } = event.owner;
  return (kind === "requester" ? null : homeOf(state, id)) ?? event.machine;
}

/**
 * An answer counts as followed once a request follows it, unless that request
 * ends undecided. A request that supersedes that one follows in its place.
 */
function applyFollowing({ unfollowed, decisions }: Folding, type: string, decision: Decision): void {
  const { id, predecessor } = decision;
  if (type === "decision:resolved" && successorOf(decision) !== null) unfollowed.add(id);
  if (predecessor === null) return;
  if (type === "decision:created") unfollowed.delete(predecessor);
  const before =
    type === "decision:withdrawn" || type === "decision:expired" ? decisions.get(predecessor) : null;
  if (before && successorOf(before) !== null) unfollowed.add(predecessor);
}

function applyJob(state: Folding, event: Event): void {
  if (event.type === "job:created") {
    const parent = event.parent && state.jobs.get(event.parent.job_id);
    state.jobs.set(event.id, newJob(event, parent ? parent.machine : event.machine));
    state.active.add(event.id);
    return;
  }
  if (event.type === "job:deleted") return deleteOwner(state, event, state.jobs.get(event.id));
  if (event.type === "job:purged") return purged(state, event.id);
  const id = "job_id" in event ? event.job_id : "id" in event ? event.id : null;
  const job = id === null ? undefined : state.jobs.open(id as JobId);
  if (!job) return;
  foldJob(job, event);
  if (hasEnded(job)) forgetRules(state.policies, job);
  applySight(state, event);
  if (hasEnded(job) && (job.workspace === null || job.status === "failed")) state.active.delete(job.id);
  else state.active.add(job.id);
  if (event.type === "job:cleaned" || event.type === "job:prepared") forgetRetries(state, job.id);
  if (event.type.startsWith("step:")) {
    const step = job.steps.find((it) => it.name === (event as { step: string }).step);
    if (step?.run_id && step.status !== "running") forgetRetries(state, step.run_id);
  }
}

function applySight({ unseen }: Folding, event: Event): void {
  if (event.type === "job:failed" || event.type === "crew:failed") {
    if (event.unseen) unseen.add(event.id);
  } else if (/^(job|crew):(seen|resumed)$/.test(event.type)) unseen.delete((event as { id: OwnerId }).id);
}

/** Deletes a job or crew with its agents and all decisions that it owns. */
function deleteOwner(
  state: Folding,
  { id, at_ms }: { id: OwnerId; at_ms: number },
  owner: Job | Crew | undefined,
): void {
  if (!owner) return;
  const workspace = "workspace" in owner ? owner.workspace : null;
  const agents = [...state.agents.values()].filter((it) => it.owner.id === id).map((it) => it.id);
  const where = owner.machine === undefined ? {} : { machine: owner.machine };
  state.trash.set(id, { job_id: id, project: owner.project, workspace, agents, ...where });
  state.jobs.delete(id as JobId);
  state.active.delete(id as JobId);
  state.unseen.delete(id);
  state.crews.delete(id as CrewId);
  forgetRules(state.policies, owner);
  for (const agent of agents) state.agents.delete(agent);
  for (const pending of state.pending) {
    const isHeldBack = state.decisions.get(pending)?.blocks.some((it) => isOf(it, id));
    const decision = isHeldBack ? state.decisions.open(pending) : undefined;
    if (!decision) continue;
    decision.blocks = decision.blocks.filter((it) => !isOf(it, id)); // the decision stays; this work is gone
  }
  for (const decision of [...state.decisions.ownedBy(id)]) deleteDecision(state, decision, at_ms);
}

/** It is gone, but it still counts. */
function deleteDecision(state: Folding, id: DecisionId, at_ms: number): void {
  const gist = state.decisions.gist(id);
  if (gist) countPast(state.past, gist, at_ms);
  if (gist) forgetAsking(state, gist);
  noteDeleted(state, id);
  state.decisions.delete(id);
  state.pending.delete(id);
  state.held.delete(id);
  state.unfollowed.delete(id);
  state.routed.delete(id);
  state.untold.delete(id);
  forgetTimes(state, id);
}

/** Whether the work is this job or crew, or a step of it. */
function isOf(work: string, id: OwnerId): boolean {
  return work === id || work.startsWith(`${id}/`);
}

function purged(state: Folding, id: OwnerId): void {
  state.trash.delete(id);
  forgetRetries(state, id);
}

/** What was owed for this job or run has been done, or is no longer needed. */
function forgetRetries(state: Folding, id: OwnerId | RunId | AgentId | DecisionId): void {
  if (state.retries.size === 0) return;
  for (const key of state.retries.keys()) if (key.endsWith(id)) state.retries.delete(key);
}
