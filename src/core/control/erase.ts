/** Erasing the texts of a decision that is over: who asked for it and what stays is recorded in the same turn. */
import type { Decision, Via } from "../model/decision-types.ts";
import { Refusal } from "../model/errors.ts";
import type { Event, Fact } from "../model/events.ts";
import type { DecisionId } from "../model/ids.ts";
import { hasEnded } from "../model/job-types.ts";
import type { State } from "../model/state/state.ts";
import { sha256 } from "../text/hash.ts";

/** What takes the place of an event in the log. */
export interface Remnant {
  seq: number;
  body: string;
  sha256: string;
}

export function remnantIn(event: Event): Remnant {
  const body = JSON.stringify(event);
  return { seq: event.seq, body, sha256: sha256(body) };
}

/** What the remnants were made from: if it has changed since, they have to be made again. */
export function basisOf(state: Readonly<State>, { id, agent_id }: Pick<Decision, "id" | "agent_id">): string {
  const agent = agent_id && state.agents.get(agent_id);
  return JSON.stringify([state.decisions.peek(id) ?? null, agent ?? null]);
}

export interface Erasure {
  id: DecisionId;
  project: string;
  by: string;
  via: Via;
  reason: string | null;
  records: readonly Pick<Remnant, "seq" | "sha256">[];
}

export function eraseTexts(state: Readonly<State>, { records, ...what }: Erasure): Fact[] {
  const decision = state.decisions.peek(what.id);
  if (decision) refuseUnfinished(state, decision);
  if (records.length === 0 && (!decision || decision.erased))
    throw new Refusal(
      "decision.erased",
      `The texts of ${what.id} are erased already.`,
      `oj audit show ${what.id}`,
    );
  const kept = records.map(({ seq, sha256 }) => ({ seq, sha256 }));
  return [{ type: "audit:erased", ...what, records: kept }];
}

/** Whoever is still to read it would read nothing. */
export function refuseUnfinished(state: Readonly<State>, decision: Decision): void {
  const { id, delivery, owner } = decision;
  if (decision.state === "pending")
    throw new Refusal(
      "decision.not-over",
      `${id} is still pending.`,
      `oj decision cancel ${id}, or answer it`,
    );
  if (delivery.state === "owed" || delivery.state === "delivered")
    throw new Refusal(
      "decision.not-over",
      `The answer to ${id} has not arrived yet.`,
      `oj decision show ${id}`,
    );
  const job = owner.kind === "job" ? state.jobs.get(owner.id) : undefined;
  if (job && !hasEnded(job))
    throw new Refusal(
      "decision.not-over",
      `${id} belongs to ${job.id}, which still runs.`,
      `oj job wait ${job.id}`,
    );
}
