/**
 * What stays in memory of every decision: enough to find it, count it and delete it when it is old, without its texts.
 */
import type { Decision, DecisionState, DeliveryState, Owner, Source, Via } from "./decision-types.ts";
import type { AgentId, DecisionId } from "./ids.ts";
import type { Outcome } from "./outcome.ts";
import { outcomeOf } from "./outcome.ts";
import { questionKey } from "./question-key.ts";
import type { Recipient } from "./queue-types.ts";
import type { ChannelKind } from "./reach-types.ts";
import type { Urgency } from "./runbook.ts";

export interface Gist {
  id: DecisionId;
  project: string;
  source: Source;
  state: DecisionState;
  urgency: Urgency;
  owner: Pick<Owner, "kind" | "id">;
  agent_id: AgentId | null;
  requested_by: string | null;
  recipient: Recipient | null;
  /** The session that the request says it comes from, if no hook had reported that session yet. */
  claimed_session: string | null;
  /** The decision it came from: its predecessor, or else its parent. */
  origin: DecisionId | null;
  created_at_ms: number;
  /** When it was answered or ended; while it is pending, when it was created. */
  settled_at_ms: number;
  delivery: DeliveryState;
  outcome: Outcome;
  /** Who answered it or ended it, and where an answer came from; null while it is pending. */
  by: string | null;
  via: Via | null;
  /** When its answer arrived at whoever asked; null if it has not. */
  acknowledged_at_ms: number | null;
  /** When somebody first looked at it; null if nobody did. */
  seen_at_ms: number | null;
  /** How often an answer was taken back. */
  undone: number;
  /** Whether an option is recommended, and what was chosen. */
  recommends: boolean;
  chose: Chosen | null;
  /** The same for decisions that ask the same thing. */
  question: string;
  /** The messages that interrupted somebody. */
  told: readonly Told[];
}

export interface Told {
  at_ms: number;
  people: readonly string[];
  channel: ChannelKind;
}

export type Chosen = "recommended" | "option" | "words";

/** How a decision stands and whose it is: what lists are filtered by. */
export type Standing = Pick<
  Gist,
  | "id"
  | "project"
  | "source"
  | "state"
  | "urgency"
  | "requested_by"
  | "created_at_ms"
  | "settled_at_ms"
  | "outcome"
  | "by"
  | "via"
>;

export function standingOf(decision: Decision): Standing {
  const { answer, ended, created_at_ms } = decision;
  return {
    id: decision.id,
    project: decision.project,
    source: decision.source,
    state: decision.state,
    urgency: decision.urgency,
    requested_by: decision.requested_by,
    created_at_ms,
    settled_at_ms: answer?.resolved_at_ms ?? ended?.at_ms ?? created_at_ms,
    outcome: outcomeOf(decision),
    by: answer?.by ?? ended?.by ?? null,
    via: answer?.via ?? null,
  };
}

/** One literal, so that thousands of them are small: an object that another is spread into takes half as much again. */
export function gistOf(decision: Decision): Gist {
  const standing = standingOf(decision);
  return {
    id: standing.id,
    project: standing.project,
    source: standing.source,
    state: standing.state,
    urgency: standing.urgency,
    requested_by: standing.requested_by,
    created_at_ms: standing.created_at_ms,
    settled_at_ms: standing.settled_at_ms,
    outcome: standing.outcome,
    by: standing.by,
    via: standing.via,
    owner: { kind: decision.owner.kind, id: decision.owner.id },
    agent_id: decision.agent_id,
    recipient: decision.recipient,
    claimed_session: decision.claimed_session ?? null,
    origin: originOf(decision),
    delivery: decision.delivery.state,
    acknowledged_at_ms: decision.delivery.state === "acknowledged" ? decision.delivery.at_ms : null,
    seen_at_ms: decision.seen?.at_ms ?? null,
    undone: decision.undone ?? 0,
    recommends: decision.options.some((it) => it.recommended),
    chose: chosenIn(decision),
    question: questionKey(decision),
    told: toldIn(decision),
  };
}

const NOBODY: readonly Told[] = [];

/** A message about several decisions interrupts once: it counts for the first of them. */
function toldIn({ id, reach }: Decision): readonly Told[] {
  if (!reach) return NOBODY;
  return reach.notices.flatMap(({ sent_at_ms: at_ms, person, names, kind: channel, together }): Told[] => {
    if (at_ms === undefined || (together && together[0] !== id)) return [];
    const people = person === null ? names : [person];
    return people.length === 0 ? [] : [{ at_ms, people, channel }];
  });
}

function chosenIn({ state, answer, options }: Decision): Chosen | null {
  if (state !== "resolved" || answer === null) return null;
  if (answer.text !== null || answer.texts?.some((it) => it !== null)) return "words";
  if (answer.chosen === null) return answer.choices.length === 0 ? "words" : "option";
  return options[answer.chosen - 1]?.recommended ? "recommended" : "option";
}

/** The decision that this one came from. */
export function originOf({ predecessor, parent }: Decision): DecisionId | null {
  return predecessor ?? parent;
}
