/** Reads the `Retry-After` header of an HTTP response. */

/** Nobody is asked to wait longer, whatever a service says. */
const LONGEST_MS = 86_400_000;

/** Seconds or a date; null if it says neither. */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null;
  const text = header.trim();
  const ms = /^\d{1,12}(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? null : Math.min(Math.max(0, Math.ceil(ms)), LONGEST_MS);
}
