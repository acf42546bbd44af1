/**
 * What a session must hear next: put in once, taken out once, in order. A queue holds only so much; of what is too much the oldest
 * messages and reminders go, and whoever reads is told how many. Answers never go: they are owed.
 */
import type { Decision } from "../model/decision-types.ts";
import { Refusal } from "../model/errors.ts";
import type { Fact } from "../model/events.ts";
import type { Moment } from "../model/ids.ts";
import type { Drain, Entry, Queue, QueueFact, Recipient } from "../model/queue-types.ts";
import type { State } from "../model/state/state.ts";
import type { Outcome } from "../text/outcome-words.ts";
import { outcomeWords } from "../text/outcome-words.ts";

const MAX_QUEUES = 10_000;
const MAX_ENTRIES = 2500;
const MAX_CHARACTERS = 1_000_000;
/** Of one text. */
const MAX_TEXT = 4000;
/** Of one taking: the client cuts what its hooks say at 10,000. */
const DRAIN_CHARACTERS = 8000;
/** An answer that somebody who awaits it is just being given. After this long it is taken that they did not get it. */
const HAND_OVER_MS = 5000;

export type EnqueueInput = Omit<Extract<QueueFact, { type: "inject:queued" }>, "type" | "left_out">;

export function enqueue(state: Readonly<State>, input: EnqueueInput): Fact[] {
  const queue = state.queues.get(input.recipient);
  if (queue && isKnown(queue, input.id)) return [];
  if (input.text.trim() === "") throw new Refusal("request.invalid", "the message is empty", null);
  if (input.text.length > MAX_TEXT)
    throw new Refusal(
      "request.too-large",
      `the message has ${input.text.length} characters; at most ${MAX_TEXT} are allowed`,
      "shorten it, or say where to read it",
    );
  if (!queue && state.queues.size >= MAX_QUEUES)
    throw new Refusal("request.too-many", `${MAX_QUEUES} sessions and names already have a queue`, null);
  return [{ type: "inject:queued", ...input, left_out: queue ? tooMuch(queue, input.text) : [] }];
}

/** What became of a request, for whoever made it. Nothing where it is brought otherwise: an agent of ours, a person at a shell. */
export function tellRequester(state: Readonly<State>, decision: Decision, outcome: Outcome): Fact[] {
  const { id, recipient, project } = decision;
  if (recipient === null) return [];
  const queue = state.queues.get(recipient);
  const text = outcomeWords(decision, outcome);
  const left_out = queue ? tooMuch(queue, text) : [];
  return [
    {
      type: "inject:queued",
      id,
      recipient,
      project,
      kind: "answer",
      text,
      decision_id: id,
      from: "oj",
      left_out,
    },
  ];
}

export interface DrainInput {
  recipient: Recipient;
  /** The same one again gives the same entries again. */
  drain_id: string;
  /** Entries at the most. */
  limit: number;
  /** The reader can't come back: what it got is settled by `received` or `returned`. */
  open: boolean;
}

/** Nothing is recorded when nothing waits. */
export function drain(state: Readonly<State>, input: DrainInput, moment: Moment): Fact[] {
  const queue = state.queues.get(input.recipient);
  if (!queue || drainOf(state, input)) return [];
  const entries = nextOf(state, queue, input.limit, moment.at_ms);
  if (entries.length === 0) return [];
  const { recipient, drain_id, open } = input;
  const ids = entries.map((it) => it.id);
  return [
    { type: "inject:drained", recipient, project: queue.project, drain_id, ids, open },
    ...answered(state, entries).flatMap(({ id, project, delivery }): Fact[] => [
      { type: "decision:delivered", id, project, attempt: delivery.attempts + 1 },
      ...(open ? [] : [{ type: "decision:acknowledged", id, project } as const]),
    ]),
  ];
}

/** The reader has what it took. */
export function received(state: Readonly<State>, input: Pick<DrainInput, "recipient" | "drain_id">): Fact[] {
  const drain = drainOf(state, input);
  if (!drain?.open) return [];
  const project = state.queues.get(input.recipient)?.project ?? "";
  return [
    { type: "inject:received", project, ...input },
    ...answered(state, drain.entries).map(
      ({ id, project }): Fact => ({ type: "decision:acknowledged", id, project }),
    ),
  ];
}

/** The reader went away before it had what it took: the next one gets it. */
export function returned(state: Readonly<State>, input: Pick<DrainInput, "recipient" | "drain_id">): Fact[] {
  if (!drainOf(state, input)?.open) return [];
  return [{ type: "inject:returned", project: state.queues.get(input.recipient)?.project ?? "", ...input }];
}

/** After a crash: nobody knows whether these readers got theirs, and none of them comes back. */
export function returnedAll(state: Readonly<State>): Fact[] {
  return [...state.queues.values()].flatMap(({ recipient, drains }) =>
    drains.filter((it) => it.open).flatMap(({ drain_id }) => returned(state, { recipient, drain_id })),
  );
}

export function drainOf(
  state: Readonly<State>,
  { recipient, drain_id }: Pick<DrainInput, "recipient" | "drain_id">,
): Drain | null {
  return state.queues.get(recipient)?.drains.find((it) => it.drain_id === drain_id) ?? null;
}

function nextOf(state: Readonly<State>, queue: Queue, limit: number, now: number): Entry[] {
  const taken: Entry[] = [];
  let characters = 0;
  for (const entry of queue.entries) {
    if (isHandedOver(state, entry, now)) continue;
    characters += entry.text.length;
    if (taken.length >= limit || (taken.length > 0 && characters > DRAIN_CHARACTERS)) break;
    taken.push(entry);
  }
  return taken;
}

function isHandedOver(state: Readonly<State>, { decision_id }: Entry, now: number): boolean {
  const delivery = decision_id === null ? undefined : state.decisions.get(decision_id)?.delivery;
  return delivery?.state === "delivered" && now - (delivery.at_ms ?? 0) < HAND_OVER_MS;
}

/** The decisions whose answers are among the entries, as far as somebody still waits for them. */
function answered(state: Readonly<State>, entries: readonly Entry[]) {
  return entries.flatMap(({ decision_id }) => {
    const decision = decision_id === null ? undefined : state.decisions.get(decision_id);
    return decision && (decision.delivery.state === "owed" || decision.delivery.state === "delivered")
      ? [decision]
      : [];
  });
}

function isKnown(queue: Queue, id: string): boolean {
  return (
    queue.past.includes(id) ||
    queue.entries.some((it) => it.id === id) ||
    queue.drains.some((it) => it.entries.some((entry) => entry.id === id))
  );
}

function tooMuch(queue: Queue, text: string): string[] {
  let entries = queue.entries.length + 1;
  let characters = queue.entries.reduce((sum, it) => sum + it.text.length, text.length);
  const gone: string[] = [];
  for (const entry of queue.entries) {
    if (entries <= MAX_ENTRIES && characters <= MAX_CHARACTERS) break;
    if (entry.kind === "answer") continue;
    gone.push(entry.id);
    entries -= 1;
    characters -= entry.text.length;
  }
  return gone;
}
