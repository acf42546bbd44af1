/** How often and how long a policy may approve or answer. Beyond that, a person is asked. */
import type { AtMost, Policy, PolicyBook } from "../model/policy-types.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DEFAULT_AT_MOST: AtMost = { times: 60, per_ms: HOUR_MS, text: "60/h" };
const DEFAULT_DAYS = 90;

/** The bound that is reached, as `at_most 3/h` or `expired 2027-02-01`; null if there is none. `since_ms`: it counts since then. */
export function boundReached(
  { name, kind, at_most, expires, expires_at_ms }: Policy,
  { book, since_ms, now_ms }: { book: PolicyBook | undefined; since_ms: number; now_ms: number },
): string | null {
  const isBound = kind === "approve" || kind === "answer";
  const end_ms = expires_at_ms ?? (isBound ? since_ms + DEFAULT_DAYS * DAY_MS : null);
  if (end_ms !== null && now_ms >= end_ms)
    return `expired ${expires ?? new Date(end_ms).toISOString().slice(0, 10)}`;
  if (!isBound) return null;
  const { times, per_ms, text } = at_most ?? DEFAULT_AT_MOST;
  const used =
    per_ms === null
      ? (book?.in_a_row[name] ?? 0)
      : (book?.used[name] ?? []).filter((it) => it > now_ms - per_ms).length;
  return used >= times ? `at_most ${text}` : null;
}
