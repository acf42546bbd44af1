/** What programs are told about a decision, as an event: for webhooks and for a person's own program. */
import type { DecisionView } from "../../api/api.ts";

export const EVENTS = [
  "decision.created",
  /** Somebody said "I'm on it", or an answer is on hold. */
  "decision.changed",
  "decision.settled",
  /** The agent or the job has the answer, or could not be given it. */
  "decision.delivered",
] as const;
export type EventName = (typeof EVENTS)[number];

export interface EventBody {
  type: EventName;
  /** When it was sent, by ISO 8601. */
  timestamp: string;
  data: DecisionView;
}

export function eventBody(type: EventName, decision: DecisionView, now: number): EventBody {
  return { type, timestamp: new Date(now).toISOString(), data: decision };
}

/** How far somebody was told about a decision. */
export interface Told {
  /** How many events were told. */
  count: number;
  last: EventName;
}

/** What comes next; null if nothing did that has a name. */
export function nextEvent({ state, delivery }: DecisionView, told: Told | null): EventName | null {
  if (told === null) return "decision.created";
  if (state === "pending") return "decision.changed";
  if (told.last === "decision.created" || told.last === "decision.changed") return "decision.settled";
  return delivery.state === "owed" || delivery.state === "none" ? null : "decision.delivered";
}

/** As a message's reference, which is a text. */
export function toldText({ count, last }: Told): string {
  return `${count} ${last}`;
}

export function toldOf(text: string): Told {
  const [count = "1", last = "decision.created"] = text.split(" ");
  return { count: Number(count), last: last as EventName };
}
