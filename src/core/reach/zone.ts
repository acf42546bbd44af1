/**
 * Time zones: what the clock on the wall shows, and when it first shows it. A wall-clock time is written as if it were
 * UTC, in milliseconds, so that days and minutes can be added to it.
 */
import { suggest } from "../text/suggest.ts";

export const DAY_MS = 86_400_000;
export const MINUTE_MS = 60_000;

/** What is wrong with the name of a zone; null: nothing. */
export function zoneProblem(zone: string): string | null {
  try {
    clockOf(zone);
    return null;
  } catch {
    const near = suggest(zone, Intl.supportedValuesOf("timeZone"));
    return `unknown time zone "${zone}"; ${near ? `did you mean "${near}"?` : 'write one like "Europe/Berlin"'}`;
  }
}

/** What the wall clock of the zone shows at a moment. */
export function wallAt(zone: string, at_ms: number): number {
  const part = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0 };
  for (const { type, value } of clockOf(zone).formatToParts(at_ms)) {
    if (type in part) part[type as keyof typeof part] = Number(value);
  }
  const whole = Date.UTC(part.year, part.month - 1, part.day, part.hour, part.minute, part.second);
  return whole + (((at_ms % 1000) + 1000) % 1000);
}

/**
 * The first moment at which the wall clock shows this time or a later one: a time that is skipped when clocks go forward
 * comes at the change, one that comes twice when they go back counts the first time.
 */
export function firstMoment(zone: string, wall_ms: number): number {
  const key = `${wall_ms} ${zone}`;
  const known = moments.get(key);
  if (known !== undefined) return known;
  const found = findMoment(zone, wall_ms);
  if (moments.size >= MAX_MOMENTS) moments.clear();
  moments.set(key, found);
  return found;
}

/** The same few beginnings and ends of hours are asked for again and again. */
const moments = new Map<string, number>();
const MAX_MOMENTS = 1000;

function findMoment(zone: string, wall_ms: number): number {
  // no zone is a day or more away from UTC, so the moment lies between these two
  const offsets = [wall_ms - DAY_MS, wall_ms + DAY_MS].map((it) => wallAt(zone, it) - it);
  const candidates = offsets.map((it) => wall_ms - it).sort((a, b) => a - b);
  const exact = candidates.find((it) => wallAt(zone, it) === wall_ms);
  if (exact !== undefined) return exact;
  let [before = wall_ms, after = wall_ms] = candidates;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (wallAt(zone, middle) >= wall_ms) after = middle;
    else before = middle;
  }
  return after;
}

/** Making one takes a hundred times as long as using it. */
const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    calendar: "gregory",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  clocks.set(zone, clock);
  return clock;
}
