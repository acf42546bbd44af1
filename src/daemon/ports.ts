/** What the daemon needs from the outside, in our words. Adapters fulfil it; fakes pass the same contract suites. */
import type { Event } from "../core/events.ts";

/** The events as the log keeps them. Written once, in order, never changed. */
export interface Log {
  /** Reads what is there. Damage is reported, never hidden; a log of a newer version is refused untouched. */
  open(): Promise<Opened>;
  /** Events with `seq` above `after`, oldest first, at most `limit`. */
  read(after: number, limit: number): Promise<Event[]>;
  /**
   * Writes all events or none and returns when they are on disk. Throws `Conflict` when a stream that the rule
   * read has moved on, and a `store.*` refusal when they could not be written.
   */
  append(events: readonly Event[], expected: Expected): Promise<void>;
  /** Folds the log up to `seq` into a snapshot, beside the running appends. */
  snapshot(seq: number): Promise<void>;
  /** Forgets events up to `seq`, as far as a snapshot covers them. Returns how many went. */
  compact(seq: number): Promise<number>;
  close(): Promise<void>;
}

export interface Opened {
  /** The newest sound snapshot: `state` is what `encodeState` gave. */
  snapshot: { seq: number; state: string } | null;
  /** Last event, and the oldest that is still there (0 and 1 in an empty log). */
  tip: number;
  first: number;
  damage: Damage | null;
}

/** Something in the log that could not be read. Nothing of it was thrown away: it is in `kept`. */
export interface Damage {
  seq: number;
  what: string;
  /** Records set aside, where that can be counted. */
  records: number | null;
  kept: string;
}

export interface Expected {
  after: number;
  streams: readonly string[];
}

export class Conflict extends Error {
  readonly stream: string;
  constructor(stream: string) {
    super(`${stream} has moved on`);
    this.name = "Conflict";
    this.stream = stream;
  }
}
