/**
 * What a session must hear next: put in once, taken out once, in order. A queue has limits. When it is full, the oldest
 * messages and reminders are dropped, and the reader is told how many. Answers are never dropped: they are owed.
 */
import type { Decision } from "../model/decision-types.ts";
import { Refusal } from "../model/errors.ts";
import type { Fact } from "../model/events.ts";
import type { MachineName, Moment } from "../model/ids.ts";
import type { Drain, Entry, Queue, QueueFact, Recipient } from "../model/queue-types.ts";
import type { State } from "../model/state/state.ts";
import type { Outcome } from "../text/outcome-words.ts";
import { outcomeWords } from "../text/outcome-words.ts";

const MAX_QUEUES = 10_000;
const MAX_ENTRIES = 2500;
const MAX_CHARACTERS = 1_000_000;
/** Characters of one text. */
const MAX_TEXT = 4000;
/** Characters of one drain: the client cuts off what its hooks say at 10,000. */
const DRAIN_CHARACTERS = 8000;
/** Characters of a person's words in one answer: with what is said around them, it fits into a drain. */
const MAX_ANSWER = 7000;
/** How long an answer is left to an `await` that is just being given it. After that, we assume it did not arrive. */
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

/**
 * Tells whoever made a request what became of it. Records nothing where they hear it another way: an agent of ours, a
 * person at a shell.
 */
export function tellRequester(state: Readonly<State>, decision: Decision, outcome: Outcome): Fact[] {
  const { id, recipient, project, source } = decision;
  if (recipient === null) return [];
  if (source === "idle" && outcome.state !== "resolved") return []; // it asked for nothing but words
  const queue = state.queues.get(recipient);
  const text = outcomeWords(decision, outcome, MAX_ANSWER);
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
  /** Draining again with the same id gives the same entries. */
  drain_id: string;
  /** The maximum number of entries. */
  limit: number;
  /** The reader can't come back: `received` or `returned` settles what it took. */
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

/** The reader went away before it had what it took: the next reader gets it. */
export function returned(state: Readonly<State>, input: Pick<DrainInput, "recipient" | "drain_id">): Fact[] {
  if (!drainOf(state, input)?.open) return [];
  return [{ type: "inject:returned", project: state.queues.get(input.recipient)?.project ?? "", ...input }];
}

/** After a crash: nobody knows whether these readers got their entries, and none of them will come back. */
export function returnedAll(state: Readonly<State>, machine: MachineName | null): Fact[] {
  const isOurs = (it: Drain) => machine === null || it.machine === machine;
  return [...state.queues.values()].flatMap(({ recipient, drains }) =>
    drains
      .filter((it) => it.open && isOurs(it))
      .flatMap(({ drain_id }) => returned(state, { recipient, drain_id })),
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

/** The decisions whose answers are among the entries, if somebody still waits for them. */
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
