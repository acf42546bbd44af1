/** How facts change the queues. Only folds: what may be put in or taken out is settled in `queue.ts`. */
import type { Stamp } from "../events.ts";
import type { Changing } from "../fixed.ts";
import type { DecisionId } from "../ids.ts";
import type { Drain, Entry, Queue, QueueFact, Recipient } from "../queue-types.ts";
import { currentRecipient } from "../queue-types.ts";
import type { OpenRows } from "./table.ts";

/**
 * How many ids of taken entries are remembered, and how much of what
 * was taken. This is plenty: whoever repeats a call does so right away.
 */
const PAST = 1000;
const DRAINS = 100;
const DRAINED_CHARACTERS = 64_000;

export function foldQueue(queues: OpenRows<Recipient, Queue>, fact: QueueFact & Stamp): void {
  const recipient = currentRecipient(fact.recipient, fact.project);
  if (fact.type === "inject:forgotten") {
    queues.delete(recipient);
    return;
  }
  const queue = queues.open(recipient) ?? newQueue(recipient, fact);
  queues.set(recipient, queue);
  queue.changed_at_ms = fact.at_ms;
  switch (fact.type) {
    case "inject:queued": {
      const { id, kind, text, decision_id, from, at_ms } = fact;
      takeOut(queue, new Set(fact.left_out));
      queue.left_out += fact.left_out.length;
      queue.count += 1;
      queue.entries = [...queue.entries, { id, number: queue.count, kind, text, decision_id, from, at_ms }];
      return;
    }
    case "inject:drained": {
      const { drain_id, at_ms, open } = fact;
      const entries = takeOut(queue, new Set(fact.ids));
      const where = fact.machine === undefined ? {} : { machine: fact.machine };
      const drain = { drain_id, at_ms, entries, left_out: queue.left_out, open, ...where };
      queue.drains = newest([...queue.drains, drain]);
      queue.left_out = 0;
      return;
    }
    case "inject:received": {
      queue.drains = queue.drains.map((it) => (it.drain_id === fact.drain_id ? { ...it, open: false } : it));
      return;
    }
    case "inject:returned": {
      const drain = queue.drains.find((it) => it.drain_id === fact.drain_id);
      if (!drain) return;
      queue.drains = queue.drains.filter((it) => it !== drain);
      const back = new Set(drain.entries.map((it) => it.id));
      queue.past = queue.past.filter((it) => !back.has(it));
      queue.entries = [...drain.entries, ...queue.entries].sort((a, b) => a.number - b.number);
      queue.left_out += drain.left_out;
      return;
    }
    default:
      return; // a fact from a newer version
  }
}

/** Whoever waited got the answer another way, or the decision is gone: nothing is left to tell. */
export function forgetAnswer(queues: OpenRows<Recipient, Queue>, recipient: Recipient, id: DecisionId): void {
  const entry = queues.get(recipient)?.entries.find((it) => it.decision_id === id);
  const queue = entry && queues.open(recipient);
  if (queue) takeOut(queue, new Set([entry.id]));
}

function takeOut(queue: Changing<Queue>, ids: ReadonlySet<string>): Entry[] {
  if (ids.size === 0) return [];
  const taken = queue.entries.filter((it) => ids.has(it.id));
  queue.entries = queue.entries.filter((it) => !ids.has(it.id));
  queue.past = [...queue.past, ...taken.map((it) => it.id)].slice(-PAST);
  return taken;
}

/** The newest drains, and all that have not been received. */
function newest(drains: readonly Drain[]): Drain[] {
  let characters = 0;
  const kept = drains.toReversed().filter((drain, index) => {
    characters += drain.entries.reduce((sum, it) => sum + it.text.length, 0);
    return index === 0 || drain.open || (index < DRAINS && characters <= DRAINED_CHARACTERS);
  });
  return kept.toReversed();
}

function newQueue(recipient: Recipient, { project, at_ms }: QueueFact & Stamp): Changing<Queue> {
  return {
    recipient,
    project,
    entries: [],
    count: 0,
    left_out: 0,
    past: [],
    drains: [],
    changed_at_ms: at_ms,
  };
}
