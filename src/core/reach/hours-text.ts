/** Hours, times of day and beginnings of rotas as people write them: `mon-fri 08:00-18:30 Europe/Berlin`. */
import type { Hours, Rota } from "./config-types.ts";
import { zoneProblem } from "./zone.ts";

export interface Wrong {
  problem: string;
}

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const EXAMPLE = '"mon-fri 08:00-18:30 Europe/Berlin"';

/**
 * Days, times and a zone. Several ranges are separated by commas: `mon-thu 08:00-12:00, 13:00-17:00, fri 08:00-14:00`;
 * one without days has those of the range before it.
 */
export function parseHours(text: string): Hours | Wrong {
  const [, times = "", zone = ""] = /^(.*\S)\s+(\S*[A-Za-z]\S*)$/s.exec(text.trim()) ?? [];
  if (times === "" || /^\d/.test(zone)) return { problem: `must be hours with a time zone, like ${EXAMPLE}` };
  const wrong = zoneProblem(zone);
  if (wrong !== null) return { problem: wrong };
  const ranges: { days: number[]; from: number; to: number }[] = [];
  let pending: number[] = [];
  for (const part of times.split(",").map((it) => it.trim())) {
    const [, dayText = "", fromText, toText] =
      /^([a-z]+(?:\s*-\s*[a-z]+)?)?\s*(?:(\d\d?:\d\d)\s*-\s*(\d\d?:\d\d))?$/i.exec(part) ?? [];
    const days = dayText === "" ? [] : daysIn(dayText);
    if (part === "" || days === null) return { problem: `can't read "${part}"; write it like ${EXAMPLE}` };
    if (fromText === undefined || toText === undefined) {
      if (days.length === 0) return { problem: `can't read "${part}"; write it like ${EXAMPLE}` };
      pending.push(...days);
      continue;
    }
    const own = [...pending, ...days];
    const range = rangeOf(own.length > 0 ? own : (ranges.at(-1)?.days ?? []), fromText, toText);
    if ("problem" in range) return range;
    ranges.push(range);
    pending = [];
  }
  if (pending.length > 0) return { problem: `has days without times; write it like ${EXAMPLE}` };
  return { zone, ranges, text: text.trim() };
}

/** Minutes after midnight of `08:30`; null if it is not a time of day. */
export function parseTime(text: string): number | null {
  const [, hour, minute] = /^(\d\d?):(\d\d)$/.exec(text) ?? [];
  const minutes = Number(hour) * 60 + Number(minute);
  return Number(minute) < 60 && minutes <= 24 * 60 ? minutes : null;
}

/** `2026-11-16 09:00 Europe/Berlin`: a time on the wall and the zone of the wall. */
export function parseBeginning(text: string): Rota["from"] | Wrong {
  const [, date, time = "", zone = ""] =
    /^(\d{4}-\d\d-\d\d)[ T](\d\d?:\d\d)\s+(\S+)$/.exec(text.trim()) ?? [];
  const minutes = parseTime(time);
  if (date === undefined || minutes === null || minutes === 24 * 60 || !isDate(date))
    return { problem: 'must be a date, a time and a time zone, like "2026-11-16 09:00 Europe/Berlin"' };
  const wrong = zoneProblem(zone);
  return wrong === null ? { local: `${date}T${time.padStart(5, "0")}`, zone } : { problem: wrong };
}

function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function rangeOf(
  days: number[],
  from: string,
  to: string,
): { days: number[]; from: number; to: number } | Wrong {
  const [begin, end] = [parseTime(from), parseTime(to)];
  if (begin === null || end === null || begin === 24 * 60)
    return { problem: `"${from}-${to}" must be two times of day, from 00:00 to 24:00` };
  if (begin === end) return { problem: `"${from}-${to}" has no length; all day is 00:00-24:00` };
  if (days.length === 0) return { problem: `must say on which days, like ${EXAMPLE}` };
  return { days: [...new Set(days)].sort(), from: begin, to: end };
}

/** Days from 0 (Monday); `sat-mon` goes over the end of the week. Null if one of them is not a day. */
function daysIn(text: string): number[] | null {
  const [first = -1, last = first] = text.split("-").map((it) => dayIn(it.trim().toLowerCase()));
  if (first < 0 || last < 0) return null;
  const length = ((last - first + 7) % 7) + 1;
  return Array.from({ length }, (_, index) => (first + index) % 7);
}

const LONG = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

function dayIn(word: string): number {
  const short = DAYS.indexOf(word);
  return short >= 0 ? short : LONG.indexOf(word);
}
