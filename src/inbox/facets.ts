/** The filter of the list: words, and facets such as `source:plan`. */
import type { DecisionBrief } from "../api/api.ts";
import { URGENCIES } from "../core/model/decision-types.ts";
import { loudnessOf } from "./card/waits.ts";
import type { Inbox } from "./model.ts";

export const FACETS = ["urgency", "project", "source"] as const;
export type Facet = (typeof FACETS)[number];

/** Returns a function that says whether the filter lets a decision through. */
export function matcherOf({ high, text }: Inbox["filter"]): (item: DecisionBrief) => boolean {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((it) => it !== "");
  return (item) => (!high || loudnessOf(item) === "high") && holds(item, words);
}

export function isFiltered({ filter }: Inbox): boolean {
  return filter.high || filter.text.trim() !== "";
}

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

function holds(item: DecisionBrief, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text =
    `${item.id} ${item.title} ${item.owner.name} ${item.source} ${item.project} ${item.urgency}`.toLowerCase();
  return words.every((it) => {
    const [, facet, value] = /^(urgency|project|source):(.+)$/.exec(it) ?? [];
    return facet ? asWord(item[facet as Facet]) === value : text.includes(it);
  });
}
