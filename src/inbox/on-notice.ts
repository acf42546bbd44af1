/**
 * Some events change what only the whole decision has: whom it was told to, and texts that were erased. What is looked
 * at is loaded again; the rest is forgotten until it is.
 */
import type { ErasedFact, Event } from "../core/model/events.ts";
import type { NoticeFact } from "../core/model/reach-types.ts";
import type { Effect, Inbox, Step } from "./model.ts";

export function onNotices({ inbox, effects }: Step, events: readonly Event[]): Step {
  const ids = new Set(events.filter(changesDetails).map((it) => it.id));
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
