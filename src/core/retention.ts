/** What ended long enough ago is deleted, so that the state doesn't grow forever. Nothing pending is ever deleted. */
import { crewHasEnded } from "./model/agent-types.ts";
import type { Fact } from "./model/events.ts";
import type { Gist } from "./model/gist.ts";
import type { DecisionId, JobId } from "./model/ids.ts";
import type { Job } from "./model/job-types.ts";
import { hasEnded } from "./model/job-types.ts";
import type { Queue } from "./model/queue-types.ts";
import type { State } from "./model/state/state.ts";

export interface Retention {
  /** Whatever ended before this is deleted. */
  before_ms: number;
  /** How many settled decisions may stay. */
  max_decisions: number;
  /** The maximum number of facts, so that one commit stays small; call again while there are any. */
  limit: number;
}

/** Answers that nobody has fetched yet may take this part of the room. */
const UNFETCHED = 0.5;

export function forgetOld(state: Readonly<State>, { before_ms, max_decisions, limit }: Retention): Fact[] {
  const facts: Fact[] = [];
  for (const fact of expired(state, before_ms)) {
    if (facts.length >= limit) return facts;
    facts.push(fact);
  }
  if (facts.length > 0) return facts; // what they leave is counted next time
  for (const fact of surplus(state, max_decisions)) {
    if (facts.length >= limit) return facts;
    facts.push(fact);
  }
  return facts;
}

/**
 * Those of the facts found before `before_ms` that are still right. To find them takes a walk through all decisions, so many are found at
 * once and recorded a few at a time, and much happens in between. (A settled decision stays settled, and its answer never becomes owed.)
 */
export function stillOld(state: Readonly<State>, facts: readonly Fact[], before_ms: number): Fact[] {
  return facts.filter((fact) => {
    if (fact.type === "decision:deleted") return state.decisions.has(fact.id);
    if (fact.type === "job:deleted") {
      const job = state.jobs.get(fact.id);
      return job !== undefined && mayGo(state, job);
    }
    if (fact.type === "crew:deleted") {
      const crew = state.crews.get(fact.id);
      return crew !== undefined && crewHasEnded(crew);
    }
    if (fact.type === "session:forgotten")
      return (state.sessions.get(fact.id)?.seen_at_ms ?? before_ms) < before_ms;
    return fact.type === "inject:forgotten" && isForgotten(state.queues.get(fact.recipient), before_ms);
  });
}

/** The answers among what goes that nobody has fetched. */
export function unfetchedIn(state: Readonly<State>, facts: readonly Fact[]): DecisionId[] {
  return facts.flatMap((fact) => {
    if (fact.type !== "decision:deleted") return [];
    return state.decisions.gist(fact.id)?.delivery === "owed" ? [fact.id] : [];
  });
}

function* expired(state: Readonly<State>, before_ms: number): Generator<Fact> {
  for (const job of state.jobs.values()) {
    if (job.created_at_ms >= before_ms) break; // the rest are newer, and still unparsed
    if (mayGo(state, job) && (job.finished_at_ms ?? before_ms) < before_ms) yield jobDeleted(job);
  }
  for (const crew of state.crews.values())
    if (crewHasEnded(crew) && (crew.finished_at_ms ?? before_ms) < before_ms)
      yield { type: "crew:deleted", id: crew.id, project: crew.project, by: "oj" };
  for (const decision of state.decisions.gists()) {
    if (decision.created_at_ms >= before_ms) break;
    if (decision.state === "pending" || decision.owner.kind === "job") continue;
    if (decision.settled_at_ms < before_ms && decision.delivery !== "owed") yield decisionDeleted(decision);
  }
  yield* forgottenSessions(state, before_ms);
}

/** What there is too much of, the oldest first, whoever owns it. A job is as old as the last thing that it asked. */
function* surplus(state: Readonly<State>, max_decisions: number): Generator<Fact> {
  let left = state.decisions.size - state.pending.size - max_decisions;
  if (left <= 0) return;
  let unfetched = -Math.floor(max_decisions * UNFETCHED);
  for (const { delivery, owner } of state.decisions.gists())
    if (delivery === "owed" && owner.kind !== "job") unfetched += 1;

  const met = new Map<string, number>();
  for (const decision of state.decisions.gists()) {
    if (left <= 0) return;
    if (decision.state === "pending") continue;
    if (decision.owner.kind === "job") {
      const { id } = decision.owner;
      const [count, { size }] = [(met.get(id) ?? 0) + 1, state.decisions.ownedBy(id)];
      met.set(id, count);
      if (count < size) continue;
      const job = state.jobs.get(id as JobId);
      if (!job || !mayGo(state, job)) continue;
      left -= size;
      yield jobDeleted(job);
    } else if (decision.delivery !== "owed" || unfetched-- > 0) {
      left -= 1;
      yield decisionDeleted(decision);
    }
  }
}

function mayGo(state: Readonly<State>, job: Job): boolean {
  return hasEnded(job) && job.finished_at_ms !== null && !isNeeded(state, job.parent?.job_id);
}

function jobDeleted({ id, project }: Job): Fact {
  return { type: "job:deleted", id, project, by: "oj" };
}

function decisionDeleted({ id, project }: Pick<Gist, "id" | "project">): Fact {
  return { type: "decision:deleted", id, project };
}

/**
 * Sessions that have not reported for that long, and messages that
 * nobody fetched. Answers stay: they are deleted with their decision.
 */
function forgottenSessions(state: Readonly<State>, before_ms: number): Fact[] {
  const facts: Fact[] = [];
  for (const { id, project, seen_at_ms } of state.sessions.values())
    if (seen_at_ms < before_ms) facts.push({ type: "session:forgotten", id, project });
  for (const queue of state.queues.values())
    if (isForgotten(queue, before_ms))
      facts.push({ type: "inject:forgotten", recipient: queue.recipient, project: queue.project });
  return facts;
}

function isForgotten(queue: Queue | undefined, before_ms: number): boolean {
  return (
    queue !== undefined &&
    queue.changed_at_ms < before_ms &&
    !queue.entries.some((it) => it.decision_id !== null)
  );
}

/** A job stays as long as its parent has not ended. */
function isNeeded(state: Readonly<State>, parent: JobId | undefined): boolean {
  const job = parent === undefined ? undefined : state.jobs.get(parent);
  return job !== undefined && !hasEnded(job);
}
