/** What is listed, and in which order: by urgency, then by age; what is already answered comes last. */
import type { DecisionBrief } from "../api.ts";
import { URGENCIES } from "../core/decision-types.ts";
import type { Inbox } from "./model.ts";

export function listed({ items, filter, selected }: Inbox): DecisionBrief[] {
  const words = filter.text
    .toLowerCase()
    .split(/\s+/)
    .filter((it) => it !== "");
  const shown = [...items.values()].filter(
    (it) => it.id === selected || ((!filter.high || it.urgency === "high") && holds(it, words)),
  );
  return shown.sort(
    (a, b) => rank(a) - rank(b) || a.created_at_ms - b.created_at_ms || (a.id < b.id ? -1 : 1),
  );
}

/** The one after or before this; the nearest that is left when it is gone from the list. */
export function neighbour(order: readonly DecisionBrief[], id: string | null, by: 1 | -1): string | null {
  const at = order.findIndex((it) => it.id === id);
  if (at === -1) return (by === 1 ? order[0] : order.at(-1))?.id ?? null;
  return (order[at + by] ?? order[at])?.id ?? null;
}

/** The others that can be answered in the same way. */
export function similarTo({ items }: Inbox, id: string): string[] {
  const group = items.get(id)?.group;
  return [...items.values()]
    .filter((it) => it.group === group && it.state === "pending" && it.held === null)
    .map((it) => it.id);
}

function rank({ urgency, state, held }: DecisionBrief): number {
  return URGENCIES.indexOf(urgency) + (state !== "pending" || held !== null ? URGENCIES.length : 0);
}

function holds(item: DecisionBrief, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text =
    `${item.id} ${item.title} ${item.owner.name} ${item.source} ${item.project} ${item.urgency}`.toLowerCase();
  return words.every((it) => text.includes(it));
}
