/** When people are at work: what is open at a moment, when it opens next, and how much of a span of time was open. */
import type { Hours } from "./config-types.ts";
import { DAY_MS, firstMoment, MINUTE_MS, wallAt } from "./zone.ts";

/** From a moment on, until just before another. */
interface Span {
  from_ms: number;
  until_ms: number;
}

/** Without hours somebody is always there. */
export function isWithin(hours: Hours | null, at_ms: number): boolean {
  return hours === null || spanAt(hours, at_ms).from_ms <= at_ms;
}

/** The moment itself if it is within the hours. */
export function nextOpening(hours: Hours | null, at_ms: number): number {
  return hours === null ? at_ms : Math.max(at_ms, spanAt(hours, at_ms).from_ms);
}

/** When the hours that a moment lies in end; null if it lies in none, or if they never end. */
export function closingOf(hours: Hours | null, at_ms: number): number | null {
  if (hours === null) return null;
  const span = spanAt(hours, at_ms);
  return span.from_ms <= at_ms && span.until_ms !== Infinity ? span.until_ms : null;
}

/** How much of a span of time lies within the hours of at least one of several people. */
export function workingTime(hours: readonly (Hours | null)[], from_ms: number, to_ms: number): number {
  if (to_ms <= from_ms) return 0;
  if (hours.includes(null)) return to_ms - from_ms;
  let sum = 0;
  for (const { from_ms: opens, until_ms } of spansOfAll(hours, from_ms)) {
    if (opens >= to_ms) break;
    sum += Math.min(until_ms, to_ms) - Math.max(opens, from_ms);
  }
  return sum;
}

/** When so much working time has passed since a moment; Infinity if nobody ever works. */
export function afterWorking(hours: readonly (Hours | null)[], from_ms: number, time_ms: number): number {
  if (hours.includes(null)) return from_ms + time_ms;
  let left = time_ms;
  for (const { from_ms: opens, until_ms } of spansOfAll(hours, from_ms)) {
    const begin = Math.max(opens, from_ms);
    if (until_ms - begin >= left) return begin + left;
    left -= until_ms - begin;
  }
  return Infinity;
}

/** The next time of day (minutes after midnight) in a zone, after a moment. */
export function nextTimeOfDay(zone: string, minutes: number, after_ms: number): number {
  for (let day = dayOf(zone, after_ms); ; day += DAY_MS) {
    const at_ms = firstMoment(zone, day + minutes * MINUTE_MS);
    if (at_ms > after_ms) return at_ms;
  }
}

/** The span that a moment lies in, else the next one. */
function spanAt(hours: Hours, at_ms: number): Span {
  for (const span of spansOf(hours, at_ms)) return span;
  return { from_ms: Infinity, until_ms: Infinity };
}

/** Longer than anybody waits, so that hours that never come end the search. */
const HORIZON_DAYS = 3660;
/** Whoever is there all week long never leaves. */
const WEEK_MS = 7 * DAY_MS;

/** What is open from a moment on, in order; what overlaps or adjoins is one span. */
function* spansOf(hours: Hours, from_ms: number): Generator<Span> {
  let span: Span | null = null;
  for (const next of rangesFrom(hours, from_ms)) {
    if (next.until_ms <= from_ms) continue;
    if (span !== null && next.from_ms <= span.until_ms) {
      span.until_ms = Math.max(span.until_ms, next.until_ms);
      if (span.until_ms - from_ms > WEEK_MS + DAY_MS) {
        yield { from_ms: span.from_ms, until_ms: Infinity };
        return;
      }
      continue;
    }
    if (span !== null) yield span;
    span = next;
  }
  if (span !== null) yield span;
}

/** Each day's ranges by their beginning, from the day before on: its last range may go on into this one. */
function* rangesFrom({ zone, ranges }: Hours, from_ms: number): Generator<Span> {
  const first = dayOf(zone, from_ms) - DAY_MS;
  const last = ranges.length === 0 ? first : first + HORIZON_DAYS * DAY_MS;
  for (let day = first; day < last; day += DAY_MS) {
    const weekday = (new Date(day).getUTCDay() + 6) % 7;
    const today = ranges.filter((it) => it.days.includes(weekday)).sort((a, b) => a.from - b.from);
    for (const { from, to } of today) {
      const end = to > from ? day : day + DAY_MS;
      const span = {
        from_ms: firstMoment(zone, day + from * MINUTE_MS),
        until_ms: firstMoment(zone, end + to * MINUTE_MS),
      };
      if (span.until_ms > span.from_ms) yield span; // an hour that the clocks skip is never open
    }
  }
}

/** The spans of several people, where those that overlap are one. */
function* spansOfAll(all: readonly (Hours | null)[], from_ms: number): Generator<Span> {
  const walks = all.filter((it) => it !== null).map((it) => spansOf(it, from_ms));
  const heads = walks.map((it) => it.next());
  let span: Span | null = null;
  for (;;) {
    let first = -1;
    heads.forEach((head, index) => {
      const best = heads[first];
      if (!head.done && (!best || best.done || head.value.from_ms < best.value.from_ms)) first = index;
    });
    const head = heads[first];
    if (!head || head.done) break;
    heads[first] = walks[first]?.next() ?? { done: true, value: undefined };
    if (span !== null && head.value.from_ms <= span.until_ms) {
      span.until_ms = Math.max(span.until_ms, head.value.until_ms);
    } else {
      if (span !== null) yield span;
      span = { ...head.value };
    }
  }
  if (span !== null) yield span;
}

/** The beginning of the day, as the wall clock counts it. */
function dayOf(zone: string, at_ms: number): number {
  return Math.floor(wallAt(zone, at_ms) / DAY_MS) * DAY_MS;
}
