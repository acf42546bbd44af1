/** What the soak proves: every decision was announced, and none as open after it was settled. */
import { quantile } from "../../bench/rows.ts";
import type { Load } from "./load.ts";
import type { Seen } from "./seen.ts";

export interface Verdict {
  isOk: boolean;
  text: string;
}

/** A decision as the daemon knows it in the end. */
export interface Settled {
  change: number;
  state: string;
  settled_at_ms: number;
}

/** What was under way to a service when somebody answered arrives a moment later, and is rewritten. */
const UNDER_WAY_MS = 1000;

export function verdictsOn(all: readonly Settled[], seen: Seen, { ways }: Pick<Load, "ways">): Verdict[] {
  const settledAt = new Map<number, number>();
  for (const { change, settled_at_ms } of all)
    settledAt.set(change, Math.max(settledAt.get(change) ?? 0, settled_at_ms));
  const announced = new Map<number, Set<string>>();
  const late: number[] = [];
  for (const { change, at, by } of seen.opened) {
    announced.set(change, (announced.get(change) ?? new Set()).add(by));
    const after = at - (settledAt.get(change) ?? Infinity);
    if (after > 0) late.push(after);
  }
  const changes = [...ways.keys()];
  const silent = changes.filter((it) => !announced.has(it));
  const unseen = silent.filter((it) => !mayBeUnseen(ways.get(it)));
  const both = changes.filter((it) => announced.get(it)?.size === 2).length;
  const pending = all.filter((it) => it.state === "pending");
  const openCards = seen.openCards();
  const openMails = seen.openMails();
  const told = [...seen.closed].flatMap(([name, at]) => {
    const settled = settledAt.get(Number(name.split(" ")[0]));
    return settled === undefined ? [] : [at - settled];
  });
  const worst = late.reduce((most, it) => Math.max(most, it), 0);
  const one = changes.length - both - silent.length;
  return [
    { isOk: pending.length === 0, text: `${changes.length} asked, ${pending.length} still pending` },
    {
      isOk: unseen.length === 0,
      text: `announced by both channels ${both}, by one ${one} (settled before the other got through), settled before any could ${silent.length - unseen.length}, never announced ${unseen.length}${few(unseen)}`,
    },
    {
      isOk: worst <= UNDER_WAY_MS,
      text: `shown as open after it was settled: ${late.length} that were under way, the latest after ${worst} ms; later than a second: ${late.filter((it) => it > UNDER_WAY_MS).length}`,
    },
    {
      isOk: openCards.length === 0,
      text: `cards that still offer something: ${openCards.length}${few(openCards.flatMap((it) => it.changes))}`,
    },
    {
      isOk: openMails.length === 0,
      text: `people whose last mail says that it waits: ${openMails.length}${few(openMails.map((it) => it.change))}`,
    },
    {
      isOk: told.length > 0,
      text: `told that it is over after ${quantile(told, 0.5).toFixed(0)} ms (median), ${quantile(told, 0.99).toFixed(0)} ms (p99, outages included)`,
    },
  ];
}

function few(changes: readonly number[]): string {
  return changes.length === 0 ? "" : ` (change ${changes.slice(0, 10).join(", ")})`;
}

/** Answered, withdrawn or expired at a moment of its own: perhaps before the first message could go out. */
function mayBeUnseen(way: string | undefined): boolean {
  return way === "blind" || way === "deadline" || way === "withdrawn";
}
