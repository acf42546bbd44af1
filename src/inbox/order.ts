/** What is listed, and in which order: by urgency, then by age; answered decisions come last. */
import type { DecisionBrief } from "../api/api.ts";
import { URGENCIES } from "../core/model/decision-types.ts";
import type { Inbox } from "./model.ts";
import { MAX_TOGETHER } from "./model.ts";

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

/** The decision after or before this one; if this one is no longer listed, the nearest one left. */
export function neighbour(order: readonly DecisionBrief[], id: string | null, by: 1 | -1): string | null {
  const at = order.findIndex((it) => it.id === id);
  if (at === -1) return (by === 1 ? order[0] : order.at(-1))?.id ?? null;
  return (order[at + by] ?? order[at])?.id ?? null;
}

/** This decision and the others that can be answered the same way, at most as many as can be looked at together. */
export function similarTo({ items }: Inbox, id: string): string[] {
  const group = items.get(id)?.group;
  const others = [...items.values()].filter(
    (it) => it.id !== id && it.group === group && it.state === "pending" && it.held === null,
  );
  return [id, ...others.slice(0, MAX_TOGETHER - 1).map((it) => it.id)];
}

export const FACETS = ["urgency", "project", "source"] as const;
export type Facet = (typeof FACETS)[number];

/** How many are pending, by urgency, by project and by source; the largest count comes first. */
export function counts({ items }: Inbox): Record<Facet, [value: string, count: number][]> {
  const found = { urgency: new Map(), project: new Map(), source: new Map() } as Record<
    Facet,
    Map<string, number>
  >;
  for (const item of items.values()) {
    if (item.state !== "pending" || item.held !== null) continue;
    for (const facet of FACETS) found[facet].set(item[facet], (found[facet].get(item[facet]) ?? 0) + 1);
  }
  const sorted = (facet: Facet) => [...found[facet]].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const byRank = URGENCIES.map((it): [string, number] => [it, found.urgency.get(it) ?? 0]);
  return { urgency: byRank, project: sorted("project"), source: sorted("source") };
}

/** Whether the filter contains this facet. */
export function hasFacet(text: string, facet: Facet, value: string): boolean {
  return text.split(/\s+/).includes(`${facet}:${asWord(value)}`);
}

function asWord(value: string): string {
  return value.toLowerCase().replaceAll(/\s+/g, "-");
}

/** The filter with `source:plan` in it, or without it if it was there. */
export function toggleFacet(text: string, facet: Facet, value: string): string {
  const word = `${facet}:${asWord(value)}`;
  const words = text.split(/\s+/).filter((it) => it !== "" && it !== word);
  const others = words.filter((it) => !it.startsWith(`${facet}:`));
  return (hasFacet(text, facet, value) ? words : [...others, word]).join(" ");
}

function rank({ urgency, state, held }: DecisionBrief): number {
  return URGENCIES.indexOf(urgency) + (state !== "pending" || held !== null ? URGENCIES.length : 0);
}

function holds(item: DecisionBrief, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text =
    `${item.id} ${item.title} ${item.owner.name} ${item.source} ${item.project} ${item.urgency}`.toLowerCase();
  return words.every((it) => {
    const [, facet, value] = /^(urgency|project|source):(.+)$/.exec(it) ?? [];
    return facet ? asWord(item[facet as Facet]) === value : text.includes(it);
  });
}
