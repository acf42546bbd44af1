/** What the database returns, checked before anything else sees it: it could have been written by anybody. */
import type { Event } from "../../core/model/events.ts";
import { linkOf } from "../audit/chain.ts";
import { isRemnant } from "../audit/erased.ts";
import { eventOf } from "../audit/salted.ts";

/** An event as it is stored. Its chain was checked against what comes before it. */
export interface Stored {
  seq: number;
  event: Event;
  chain: Buffer;
}

/** The place that a page follows: an event that was seen before, and its link. */
export interface Anchor {
  seq: number;
  chain: Buffer;
}

/** The sound events in order, and what is wrong with the next row (null: nothing, it is the end of the page). */
export interface Checked {
  stored: Stored[];
  problem: string | null;
}

/**
 * Each row must follow the one before it, be an event of ours, and prove that by its link. One whose texts were erased
 * can't: what is left of it is proven by a later event, which `verify.ts` and `oj audit verify` look for.
 */
export function checkRows(rows: readonly unknown[], anchor: Anchor): Checked {
  const stored: Stored[] = [];
  let before = anchor;
  for (const row of rows) {
    const next = checkRow(row, before);
    if (typeof next === "string") return { stored, problem: next };
    stored.push(next);
    before = next;
  }
  return { stored, problem: null };
}

function checkRow(row: unknown, before: Anchor): Stored | string {
  const { seq: number, stream, body, chain } = (row ?? {}) as Record<string, unknown>;
  const seq = wholeNumber(number);
  if (seq !== before.seq + 1) return `the next record is ${String(number).slice(0, 20)}`;
  if (typeof stream !== "string" || typeof body !== "string") return "it is not text";
  if (!isLink(chain)) return "it has no link to the one before it";
  if (!linkOf(before.chain, seq, stream, body).equals(chain) && !isRemnant(body))
    return "it is not what was written";
  const event = eventIn(body, seq);
  return event === null ? "it is not an event" : { seq, event, chain };
}

/** An event whose number is its own. */
export function eventIn(body: unknown, seq: number): Event | null {
  if (typeof body !== "string") return null;
  try {
    const event = eventOf(body) as Partial<Event> | null;
    const isOne =
      typeof event === "object" &&
      event?.seq === seq &&
      typeof event.type === "string" &&
      typeof event.at_ms === "number";
    return isOne ? (event as Event) : null;
  } catch {
    return null;
  }
}

/** PostgreSQL's bigint arrives as text. */
export function wholeNumber(value: unknown): number | null {
  const number = typeof value === "string" || typeof value === "number" ? Number(value) : Number.NaN;
  return Number.isSafeInteger(number) && number >= 0 ? number : null;
}

export function isLink(value: unknown): value is Buffer {
  return Buffer.isBuffer(value) && value.length === 32;
}
