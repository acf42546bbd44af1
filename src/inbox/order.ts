/**
 * What is listed, and in which order: by urgency, then by age; then what blocks nothing yet; answered decisions come
 * last; those alike are one row.
 */
import type { DecisionBrief } from "../api/api.ts";
import { URGENCIES } from "../core/model/decision-types.ts";
import { isQuiet } from "./card/waits.ts";
import { matcherOf } from "./facets.ts";
import type { Inbox } from "./model.ts";

/** A line of the list: one decision, or a folded group of those that are alike. */
export interface Row {
  /** The decision that stands for the row. */
  item: DecisionBrief;
  /** All the decisions of the row, in order; more than one only if it is a folded group. */
  ids: readonly string[];
  /** How many decisions of the list are alike: more than one, also in each row of a group that is unfolded. */
  alike: number;
}

interface Order {
  items: readonly DecisionBrief[];
  ids: ReadonlySet<string>;
  groups: ReadonlyMap<string, readonly DecisionBrief[]>;
}

/** The decisions that the filter lets through, in the order of the list; those alike stand next to each other. */
export function listed(inbox: Inbox): readonly DecisionBrief[] {
  return orderOf(inbox).items;
}

export function isListed(inbox: Inbox, id: string): boolean {
  return orderOf(inbox).ids.has(id);
}

/** The list as it is shown. The decision in focus stands for its group. */
export function rows(inbox: Inbox): readonly Row[] {
  const { rows, places } = rowsOf(inbox);
  const item = inbox.selected === null ? undefined : inbox.items.get(inbox.selected);
  const at = item && places.get(groupKey(item));
  const row = at === undefined ? undefined : rows[at];
  if (!item || at === undefined || !row || row.item.id === item.id || !row.ids.includes(item.id)) return rows;
  return rows.with(at, { ...row, item });
}

interface Folded {
  unfolded: Inbox["unfolded"];
  /** The first of a group stands for it. */
  rows: readonly Row[];
  /** Where the folded groups are. */
  places: ReadonlyMap<string, number>;
}

/** The rows are asked for with every key, and change with few of them. */
const knownRows = new WeakMap<Order, Folded>();

function rowsOf(inbox: Inbox): Folded {
  const order = orderOf(inbox);
  const before = knownRows.get(order);
  if (before?.unfolded === inbox.unfolded) return before;
  const rows: Row[] = [];
  const places = new Map<string, number>();
  for (const [key, members] of order.groups) {
    const [item] = members;
    const alike = members.length;
    if (!item) continue;
    if (alike === 1 || inbox.unfolded.has(item.group))
      for (const it of members) rows.push({ item: it, ids: [it.id], alike });
    else {
      places.set(key, rows.length);
      rows.push({ item, ids: members.map((it) => it.id), alike });
    }
  }
  const now = { unfolded: inbox.unfolded, rows, places };
  knownRows.set(order, now);
  return now;
}

/** The decisions of the row that this one is in: itself, and if its group is folded all the others. */
export function rowOf(inbox: Inbox, id: string): readonly string[] {
  const item = inbox.items.get(id);
  return item && isListed(inbox, id) && !inbox.unfolded.has(item.group) ? similarTo(inbox, id) : [id];
}

/** This decision and the others of the list that are alike and in the same state. */
export function similarTo(inbox: Inbox, id: string): readonly string[] {
  const item = inbox.items.get(id);
  const group = item && orderOf(inbox).groups.get(groupKey(item));
  return group?.some((it) => it.id === id) ? group.map((it) => it.id) : [id];
}

/** The row after or before the one with this decision; if it is no longer listed, the first or the last one. */
export function neighbour(order: readonly Row[], id: string | null, by: 1 | -1): string | null {
  const at = order.findIndex((it) => it.item.id === id);
  if (at === -1) return (by === 1 ? order[0] : order.at(-1))?.item.id ?? null;
  return (order[at + by] ?? order[at])?.item.id ?? null;
}

/** The order of a list is asked for many times before it changes. */
const known = new WeakMap<Inbox["items"], { filter: Inbox["filter"]; order: Order }>();

function orderOf({ items, filter }: Inbox): Order {
  const before = known.get(items);
  if (before?.filter === filter) return before.order;
  const matches = matcherOf(filter);
  const sorted = [...items.values()]
    .filter(matches)
    .sort((a, b) => rank(a) - rank(b) || a.created_at_ms - b.created_at_ms || (a.id < b.id ? -1 : 1));
  const groups = new Map<string, DecisionBrief[]>();
  for (const item of sorted) {
    const group = groups.get(groupKey(item));
    if (group) group.push(item);
    else groups.set(groupKey(item), [item]);
  }
  const all = [...groups.values()].flat();
  const order = { items: all, ids: new Set(all.map((it) => it.id)), groups };
  known.set(items, { filter, order });
  return order;
}

/** Those that wait and those that are answered are told apart, even if they are alike. */
function groupKey(item: DecisionBrief): string {
  return `${isOver(item) ? "over" : isQuiet(item) ? "aside" : "open"} ${item.group}`;
}

function rank(item: DecisionBrief): number {
  const place = isOver(item) ? 2 : isQuiet(item) ? 1 : 0;
  return URGENCIES.indexOf(item.urgency) + place * URGENCIES.length;
}

function isOver({ state, held }: DecisionBrief): boolean {
  return state !== "pending" || held !== null;
}
