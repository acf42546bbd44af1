/** What ended long enough ago is deleted, so that the state doesn't grow forever. Nothing pending is ever deleted. */
import { crewHasEnded } from "./model/agent-types.ts";
import type { Fact } from "./model/events.ts";
import type { JobId } from "./model/ids.ts";
import { hasEnded } from "./model/job-types.ts";
import type { State } from "./model/state/state.ts";

export interface Retention {
  /** Whatever ended before this is deleted. */
  before_ms: number;
  /** How many settled decisions may stay. */
  max_decisions: number;
  /** The maximum number of facts, so that one commit stays small; call again while there are any. */
  limit: number;
}

export function forgetOld(state: Readonly<State>, { before_ms, max_decisions, limit }: Retention): Fact[] {
  const facts: Fact[] = [];
  let surplus = state.decisions.size - state.pending.size - max_decisions;

  for (const job of state.jobs.values()) {
    if (facts.length >= limit) return facts;
    if (surplus <= 0 && job.created_at_ms >= before_ms) break; // the rest are newer, and still unparsed
    if (!hasEnded(job) || job.finished_at_ms === null || isNeeded(state, job.parent?.job_id)) continue;
    const decisions = surplus > 0 ? state.decisions.ownedBy(job.id).size : 0;
    if (job.finished_at_ms >= before_ms && !(surplus > 0 && decisions > 0)) continue;
    surplus -= decisions;
    facts.push({ type: "job:deleted", id: job.id, project: job.project, by: "oj" });
  }
  for (const crew of state.crews.values()) {
    if (facts.length >= limit) return facts;
    if (crewHasEnded(crew) && (crew.finished_at_ms ?? before_ms) < before_ms)
      facts.push({ type: "crew:deleted", id: crew.id, project: crew.project, by: "oj" });
  }
  for (const decision of state.decisions.gists()) {
    if (facts.length >= limit) return facts;
    if (surplus <= 0 && decision.created_at_ms >= before_ms) break;
    if (decision.state === "pending" || decision.owner.kind === "job") continue;
    const { settled_at_ms, delivery } = decision;
    if (settled_at_ms >= before_ms && surplus <= 0) continue;
    if (delivery === "owed" && (settled_at_ms >= before_ms || surplus <= 0)) continue; // nobody has fetched it yet
    surplus -= 1;
    facts.push({ type: "decision:deleted", id: decision.id, project: decision.project });
  }
  return [...facts, ...forgottenSessions(state, before_ms)].slice(0, limit);
}

/**
 * Sessions that have not reported for that long, and messages that
 * nobody fetched. Answers stay: they are deleted with their decision.
 */
function forgottenSessions(state: Readonly<State>, before_ms: number): Fact[] {
  const facts: Fact[] = [];
  for (const { id, project, seen_at_ms } of state.sessions.values())
    if (seen_at_ms < before_ms) facts.push({ type: "session:forgotten", id, project });
  for (const { recipient, project, changed_at_ms, entries } of state.queues.values())
    if (changed_at_ms < before_ms && !entries.some((it) => it.decision_id !== null))
      facts.push({ type: "inject:forgotten", recipient, project });
  return facts;
}

/** A job stays as long as its parent has not ended. */
function isNeeded(state: Readonly<State>, parent: JobId | undefined): boolean {
  const job = parent === undefined ? undefined : state.jobs.get(parent);
  return job !== undefined && !hasEnded(job);
}
