/**
 * What is still counted of decisions that were deleted: how many there were, by day or month, project, source and how
 * they ended, and whom they interrupted. Without it, every figure would go down when old decisions are deleted. Tries
 * to send a message are counted here as they happen.
 */
import type { DecisionState, Source, Via } from "../decision-types.ts";
import type { Fixed } from "../fixed.ts";
import type { Gist } from "../gist.ts";
import type { ChannelKind } from "../reach-types.ts";
import type { OpenRows } from "./table.ts";

/** So many have this in common. */
export type PastCount = Fixed<{ key: string; count: number }>;

export type PastWhat =
  | { what: "asked"; when: string; project: string; source: Source }
  | {
      what: "settled";
      when: string;
      project: string;
      source: Source;
      state: DecisionState;
      by: string | null;
      via: Via | null;
    }
  /** Answers that took at most so long. */
  | { what: "waited"; up_to_s: number | null }
  | { what: "waited-ms" }
  /** Messages that interrupted somebody, in this hour by UTC. */
  | {
      what: "interrupted";
      when: string;
      hour: number;
      project: string;
      source: Source;
      person: string;
      channel: ChannelKind;
    }
  /** Messages that were sent, and tries that failed. */
  | { what: "sent" | "failed"; channel: ChannelKind };

/** The upper ends of how long answers took, in seconds; the last has none. */
export const WAITS_S = [1, 5, 15, 60, 300, 900, 3600, 14_400, 86_400] as const;

export function countPast(past: OpenRows<string, PastCount>, gist: Gist, deleted_at_ms: number): void {
  const { project, source, state, created_at_ms, settled_at_ms, via } = gist;
  const add = (what: PastWhat, count = 1) => countIn(past, what, count);
  const when = (at_ms: number) => dayOrMonth(at_ms, deleted_at_ms);
  add({ what: "asked", when: when(created_at_ms), project, source });
  for (const { at_ms, people, channel } of gist.told) {
    const hour = new Date(at_ms).getUTCHours();
    for (const person of people)
      add({ what: "interrupted", when: when(at_ms), hour, project, source, person, channel });
  }
  if (state === "pending") return;
  const by = state === "resolved" ? gist.by : null; // many may withdraw; people who answer are few
  add({ what: "settled", when: when(settled_at_ms), project, source, state, by, via });
  if (state !== "resolved") return;
  const waited_ms = Math.max(0, settled_at_ms - created_at_ms);
  add({ what: "waited", up_to_s: upTo(waited_ms) });
  add({ what: "waited-ms" }, waited_ms);
}

export function countIn(past: OpenRows<string, PastCount>, what: PastWhat, count = 1): void {
  const key = JSON.stringify(what);
  past.set(key, { key, count: (past.get(key)?.count ?? 0) + count });
}

/** The shortest of our waits that it fits in; null: longer than all. */
export function upTo(waited_ms: number): number | null {
  return WAITS_S.find((it) => waited_ms <= it * 1000) ?? null;
}

const DAYS_MS = 35 * 86_400_000;

/** By the day as long as anybody asks for days, then by the month, so that there are never many. */
function dayOrMonth(at_ms: number, deleted_at_ms: number): string {
  return new Date(at_ms).toISOString().slice(0, deleted_at_ms - at_ms > DAYS_MS ? 7 : 10);
}
