/**
 * What only the whole decision has changes with some events (whom it was told to, texts that were erased), and with
 * anything while the connection is down. What is looked at is loaded again; the rest is forgotten until it is.
 */
import type { ErasedFact, Event } from "../core/model/events.ts";
import type { NoticeFact } from "../core/model/reach-types.ts";
import { isFailure } from "./failed.ts";
import type { Effect, Inbox, Step } from "./model.ts";

export function onNotices(step: Step, events: readonly Event[]): Step {
  return reread(step, new Set(events.filter(changesDetails).map((it) => it.id)));
}

/** After a connect or a reconnect: whatever was loaded before may be out of date. What failed is listed whole. */
export function rereadAll(step: Step): Step {
  return reread(
    step,
    [...step.inbox.details.keys()].filter((it) => !isFailure(it)),
  );
}

function reread({ inbox, effects }: Step, ids: Iterable<string>): Step {
  const known = [...ids].filter((id) => inbox.details.has(id));
  if (known.length === 0) return { inbox, effects };
  const loads = known
    .filter((id) => isShown(inbox, id))
    .map((id): Effect => ({ type: "load", id, isNews: true }));
  const [details, seen] = [new Map(inbox.details), new Map(inbox.seen)];
  for (const id of known) if (!isShown(inbox, id)) for (const it of [details, seen]) it.delete(id);
  return { inbox: { ...inbox, details, seen }, effects: [...effects, ...loads] };
}

function changesDetails(event: Event): event is Extract<Event, NoticeFact | ErasedFact> {
  return event.type.startsWith("notice:") || event.type === "audit:erased";
}

/** Also one that is about to be answered together with others: it must not be gone when the answer is confirmed. */
function isShown({ selected, marked, mode, answered }: Inbox, id: string): boolean {
  if (id === selected || marked.has(id) || answered.includes(id)) return true;
  return mode.type === "confirm" && mode.ids.includes(id);
}
