/** The ends of a span of time, as people write them: `7d` ago, a day, or a day and a time, on the local clock. */
import { parseDuration } from "../../core/text/duration.ts";
import { usage } from "../base/fail.ts";

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
const DAY_AND_TIME = /^\d{4}-\d\d-\d\d[t ]\d\d:\d\d/;
const FORMS = "7d, 2026-11-10, 2026-11-10T14:30, today or yesterday";

/** Where the span begins, in milliseconds; a day begins at midnight. */
export function sinceOf(text: string | undefined, now: number): number | undefined {
  return text === undefined ? undefined : momentOf("--since", text, now, 0);
}

/** Where it ends, not included; a day is included to its end. */
export function untilOf(text: string | undefined, now: number): number | undefined {
  return text === undefined ? undefined : momentOf("--until", text, now, 1);
}

function momentOf(flag: string, given: string, now: number, daysLater: 0 | 1): number {
  const text = given.trim().toLowerCase();
  const ago = parseDuration(text);
  if (ago !== null) return Math.max(0, now - ago);
  const day = text === "today" ? 0 : text === "yesterday" ? -1 : null;
  if (day !== null) {
    const today = new Date(now);
    return new Date(today.getFullYear(), today.getMonth(), today.getDate() + day + daysLater).getTime();
  }
  const [, year, month, date] = (DAY.exec(text) ?? []).map(Number);
  if (year !== undefined && month !== undefined && date !== undefined) {
    const midnight = new Date(year, month - 1, date);
    if (midnight.getMonth() === month - 1)
      return Math.max(0, new Date(year, month - 1, date + daysLater).getTime());
  }
  const exact = DAY_AND_TIME.test(text) ? Date.parse(text.replace(" ", "T").toUpperCase()) : Number.NaN;
  if (Number.isNaN(exact) || exact < 0) throw usage(`"${given}" is not a time`, `${flag} takes ${FORMS}`);
  return exact;
}

/** "2026-11-10 14:32" on the local clock; without the year if it is this one. */
export function shortDate(at_ms: number, now: number): string {
  const at = new Date(at_ms);
  const pad = (number: number) => String(number).padStart(2, "0");
  const day = `${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
  const year = at.getFullYear() === new Date(now).getFullYear() ? "" : `${at.getFullYear()}-`;
  return `${year}${day} ${pad(at.getHours())}:${pad(at.getMinutes())}`;
}
