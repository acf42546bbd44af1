/** How figures are worded, and whose days they count, in every inbox. */
import { zoneProblem } from "../core/reach/zone.ts";

/** The zone of whoever looks. Where it has no name (TZ is empty, or "GMT+3"), one with the clock of this moment. */
export function localZone(
  named = Intl.DateTimeFormat().resolvedOptions().timeZone,
  behind_min = new Date().getTimezoneOffset(),
): string {
  if (zoneProblem(named) === null) return named;
  const hours = Math.round(behind_min / 60);
  return hours === 0 ? "UTC" : `Etc/GMT${hours > 0 ? "+" : ""}${hours}`;
}

/** "0.4s", "12s", "3m", "5.2h", "2d": how long something took. */
export function spanWords(ms: number): string {
  if (ms < 10_000) return `${Math.round(ms / 100) / 10}s`;
  if (ms < 100_000) return `${Math.round(ms / 1000)}s`;
  if (ms < 100 * 60_000) return `${Math.round(ms / 60_000)}m`;
  if (ms < 48 * 3_600_000) return `${Math.round(ms / 360_000) / 10}h`;
  return `${Math.round(ms / 8_640_000) / 10}d`;
}
