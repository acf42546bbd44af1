/** The clock of a level: it always runs, or only within the hours of whoever was notified. */
import type { EscalationDef } from "../model/reach-types.ts";
import type { ReachConfig } from "./config-types.ts";
import { afterWorking, workingTime } from "./hours.ts";
import { peopleOf } from "./who.ts";

export interface LevelClock {
  /** When so much time has counted since a moment; null: never. */
  after(from_ms: number, ms: number): number | null;
  /** How much of a span counts. */
  between(from_ms: number, to_ms: number): number;
}

const ALWAYS: LevelClock = {
  after: (from_ms, ms) => from_ms + ms,
  between: (from_ms, to_ms) => Math.max(0, to_ms - from_ms),
};

export function levelClock(
  def: EscalationDef,
  level: number,
  config: ReachConfig | null,
  at_ms: number,
): LevelClock {
  if (def.clock === "always" || config === null) return ALWAYS;
  const hours = peopleOf(config, def.levels[level]?.notify ?? [], at_ms).map((it) => it.hours);
  if (hours.length === 0) return ALWAYS;
  return {
    after(from_ms, ms) {
      const at = afterWorking(hours, from_ms, ms);
      return Number.isFinite(at) ? at : null;
    },
    between: (from_ms, to_ms) => workingTime(hours, from_ms, to_ms),
  };
}
