/** Points in time as a card says them. */
import { describeAge } from "../../core/text/words.ts";

/** "2 minutes ago (2026-07-30 14:03)", in the person's time zone. */
export function timeWords(ms: number, now: number): string {
  return `${describeAge(now - ms)} (${localTime(ms)})`;
}

/** "2026-07-30 14:03", in the person's time zone. */
export function localTime(ms: number): string {
  const at = new Date(ms);
  const two = (number: number) => String(number).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
