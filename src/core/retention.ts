/** What has been over for long enough is let go, so that the state does not grow for ever. Pending things never are. */
import { crewHasEnded } from "./model/agent-types.ts";
import type { Fact } from "./model/events.ts";
import type { JobId } from "./model/ids.ts";
import { hasEnded } from "./model/job-types.ts";
import type { State } from "./model/state/state.ts";

export interface Retention {
  /** Ended before this: goes. */
  before_ms: number;
  /** Settled decisions that may stay. */
  max_decisions: number;
  /** Facts at the most, so that one commit stays small; call again while there are any. */
  limit: number;
}

export function forgetOld(state: Readonly<State>, { before_ms, max_decisions, limit }: Retention): Fact[] {
  const facts: Fact[] = [];
  let surplus = state.decisions.size - state.pending.size - max_decisions;

  for (const job of state.jobs.values()) {
    if (facts.length >= limit) return facts;
    if (surplus <= 0 && job.created_at_ms >= before_ms) break; // those that follow were made later, and are text so far
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
    if (delivery === "owed" && (settled_at_ms >= before_ms || surplus <= 0)) continue; // nobody came for it yet
    surplus -= 1;
    facts.push({ type: "decision:deleted", id: decision.id, project: decision.project });
  }
  return [...facts, ...forgottenSessions(state, before_ms)].slice(0, limit);
}

/** Sessions that were not heard of for so long, and messages that nobody came for. Answers wait: they go with their decision. */
function forgottenSessions(state: Readonly<State>, before_ms: number): Fact[] {
  const facts: Fact[] = [];
  for (const { id, project, seen_at_ms } of state.sessions.values())
    if (seen_at_ms < before_ms) facts.push({ type: "session:forgotten", id, project });
  for (const { recipient, project, changed_at_ms, entries } of state.queues.values())
    if (changed_at_ms < before_ms && !entries.some((it) => it.decision_id !== null))
      facts.push({ type: "inject:forgotten", recipient, project });
  return facts;
}

/** A job that another one still waits for stays. */
function isNeeded(state: Readonly<State>, parent: JobId | undefined): boolean {
  const job = parent === undefined ? undefined : state.jobs.get(parent);
  return job !== undefined && !hasEnded(job);
}
