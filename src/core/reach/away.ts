/** Outside somebody's hours only what is urgent comes through. The rest waits for one digest, at their time. */
import type { Urgency } from "../model/runbook.ts";
import type { Hours, Person } from "./config-types.ts";
import { closingOf, isWithin, nextOpening, nextTimeOfDay } from "./hours.ts";
import { DAY_MS, wallAt } from "./zone.ts";

/** When these people hear of it; undefined: at once, because somebody is there or it can't wait. */
export function waitsUntil(people: readonly Person[], urgency: Urgency, at_ms: number): number | undefined {
  if (urgency === "high" || people.some((it) => isWithin(it.hours, at_ms))) return undefined;
  const next = Math.min(...people.map((it) => digestOf(it, at_ms)));
  return Number.isFinite(next) ? next : undefined;
}

/** A digest at half past seven belongs to the day that begins at eight, not to a Sunday. */
const BEFORE_WORK_MS = 12 * 3_600_000;
/** Longer than anybody's hours leave out. */
const MOST_DAYS = 14;

/** Their next digest on a day on which they work; when they are back, without a time for it or if that day's has been. */
function digestOf({ hours, digest }: Person, at_ms: number): number {
  const back = nextOpening(hours, at_ms);
  if (hours === null || digest === null) return back;
  let next = nextTimeOfDay(hours.zone, digest, at_ms);
  for (let day = 0; day < MOST_DAYS; day++) {
    if (nextOpening(hours, next) - next < BEFORE_WORK_MS) return isTooLate(hours, back, next) ? back : next;
    next = nextTimeOfDay(hours.zone, digest, next);
  }
  return back;
}

/** What comes up at lunch, after the digest of the morning, is told after lunch and not the next day. */
function isTooLate(hours: Hours, back_ms: number, digest_ms: number): boolean {
  const dayOf = (it: number) => Math.floor(wallAt(hours.zone, it) / DAY_MS);
  const leaves = closingOf(hours, back_ms);
  return leaves !== null && leaves <= digest_ms && dayOf(back_ms) < dayOf(digest_ms);
}
