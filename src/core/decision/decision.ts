/** Decisions: finding, withdrawing and acknowledging them. Answers are given in `give.ts`. The first answer wins. */

import { askIfStill } from "../agent/stands-still.ts";
import type { Decision } from "../model/decision-types.ts";
import { Refusal } from "../model/errors.ts";
import type { Fact } from "../model/events.ts";
import type { AgentId, DecisionId, Moment } from "../model/ids.ts";
import { draftOn } from "../model/state/draft.ts";
import { findDecision } from "../model/state/find.ts";
import type { State } from "../model/state/state.ts";
import { doubtParcel, parcelDelivered, parcelReceived } from "../outbox/parcel.ts";
import { endRequest } from "../request/outcome.ts";
import { leaveDecision } from "../request/repeat.ts";
import { describeAge } from "../text/words.ts";
import { expiryWords } from "./settled.ts";

/** The decision, if it still waits for an answer. An answer on hold has already won. */
export function findOpen(state: Readonly<State>, text: string, { at_ms }: Moment): Decision {
  const decision = findDecision(state, text);
  if (decision.state !== "pending" || decision.held) throw alreadySettled(decision, at_ms);
  return decision;
}

/**
 * Takes a request back. If the asker has asked it several times, it takes back one of them. A question from a job or an agent ends with its
 * owner, not by itself.
 */
export function cancelDecision(
  state: Readonly<State>,
  input: { id: string; by: string; reason: string | null },
  moment: Moment,
): Fact[] {
  const decision = findDecision(state, input.id);
  if (decision.state !== "pending") throw alreadySettled(decision, moment.at_ms);
  if (decision.owner.kind !== "requester") {
    const { kind, id } = decision.owner;
    throw new Refusal(
      "decision.not-a-request",
      `${decision.id} was asked by ${decision.owner.name}; it ends with an answer, or when ${decision.owner.name} ends`,
      `oj ${kind} cancel ${id}`,
    );
  }
  const { by, reason } = input;
  const key = decision.repeats?.at(-1)?.key;
  if (by === decision.requested_by && key !== undefined)
    return leaveDecision(state, { id: decision.id, key });
  const draft = draftOn(state, moment);
  endRequest(draft, decision, { state: "withdrawn", reason: reason ?? "cancelled", by });
  askIfStill(draft, decision.agent_id);
  return draft.facts;
}

/** The answer is on its way to whoever awaits it. */
export function deliver(state: Readonly<State>, input: { id: DecisionId }, moment: Moment): Fact[] {
  const decision = state.decisions.get(input.id);
  if (!decision) return [];
  const { id, project, delivery } = decision;
  const draft = draftOn(state, moment);
  const agent = parcelHolder(state, decision);
  if (agent) parcelDelivered(draft, agent, id);
  else if (delivery.state === "owed")
    draft.emit({ type: "decision:delivered", id, project, attempt: delivery.attempts + 1 });
  return draft.facts;
}

/** The requester has the answer: its `await` returned. */
export function acknowledge(state: Readonly<State>, input: { id: DecisionId }, moment: Moment): Fact[] {
  const decision = state.decisions.get(input.id);
  if (!decision) return [];
  const { id, project, delivery } = decision;
  const draft = draftOn(state, moment);
  const agent = parcelHolder(state, decision);
  if (agent) {
    parcelReceived(draft, agent, id);
    askIfStill(draft, agent);
  } else if (delivery.state === "delivered") draft.emit({ type: "decision:acknowledged", id, project });
  return draft.facts;
}

/** The requester's connection broke before it had the answer: what was on its way is owed again. */
export function undeliver(state: Readonly<State>, input: { id: DecisionId }, moment: Moment): Fact[] {
  const decision = state.decisions.get(input.id);
  const agent = decision && parcelHolder(state, decision);
  if (!agent) return [];
  const draft = draftOn(state, moment);
  doubtParcel(draft, agent, input.id);
  return draft.facts;
}

/** The agent whose outbox still has the outcome of its request. */
function parcelHolder(state: Readonly<State>, { id, agent_id }: Decision): AgentId | null {
  const agent = agent_id === null ? undefined : state.agents.get(agent_id);
  return agent?.outbox.some((it) => it.id === id) ? agent.id : null;
}

export function alreadySettled(decision: Decision, now: number): Refusal {
  const { held, ended, id } = decision;
  const answer = decision.answer ?? held?.answer ?? null;
  const details = { state: decision.state, answer, superseded_by: decision.superseded_by };
  const hint = `oj decision show ${decision.superseded_by ?? id}`;
  if (decision.state === "expired" && ended) {
    const what = `expired ${describeAge(now - ended.at_ms)}, by ${ended.by}: ${expiryWords(decision)}`;
    return new Refusal("decision.already-resolved", `${id} ${what}`, hint, details);
  }
  if (answer) {
    const what = answer.labels.join(", ") || answer.text || answer.message || "a message";
    const when = describeAge(now - answer.resolved_at_ms);
    return new Refusal(
      "decision.already-resolved",
      `${id} was already answered: ${what}, by ${answer.by} (${answer.via}) ${when}`,
      hint,
      details,
    );
  }
  const when = ended ? ` ${describeAge(now - ended.at_ms)}` : "";
  return new Refusal(
    "decision.already-resolved",
    `${id} was ${decision.state}${when}${ended ? `: ${ended.reason}` : ""}`,
    hint,
    details,
  );
}
