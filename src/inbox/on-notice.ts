/** Whom a decision was told to is only in the whole decision: what is looked at is loaded again, the rest when it is. */
import type { Event } from "../core/model/events.ts";
import type { NoticeFact } from "../core/model/reach-types.ts";
import type { Effect, Inbox, Step } from "./model.ts";

export function onNotices({ inbox, effects }: Step, events: readonly Event[]): Step {
  const ids = new Set(events.filter(isNotice).map((it) => it.id));
  const known = [...ids].filter((id) => inbox.details.has(id));
  if (known.length === 0) return { inbox, effects };
  const loads = known
    .filter((id) => isShown(inbox, id))
    .map((id): Effect => ({ type: "load", id, isNews: true }));
  const [details, seen] = [new Map(inbox.details), new Map(inbox.seen)];
  for (const id of known) if (!isShown(inbox, id)) for (const it of [details, seen]) it.delete(id);
  return { inbox: { ...inbox, details, seen }, effects: [...effects, ...loads] };
}

function isNotice(event: Event): event is Extract<Event, NoticeFact> {
  return event.type.startsWith("notice:");
}

/** Also one that is about to be answered together with others: it must not be gone when the answer is confirmed. */
function isShown({ selected, marked, mode, answered }: Inbox, id: string): boolean {
  if (id === selected || marked.has(id) || answered.includes(id)) return true;
  return mode.type === "confirm" && mode.ids.includes(id);
}
