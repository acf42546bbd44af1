/** A whole store, as `oj store` moves, keeps and checks it: read and filled from outside, without a daemon. */
import { Refusal } from "./core/model/errors.ts";

export interface WholeStore {
  kind: "sqlite" | "postgres";
  /** For messages: the folder, or the address without its password. */
  shown: string;
  /**
   * Calls `work` with the log as it is at one moment. `alone`: refuses while a daemon uses it, and lets none write until
   * `work` is done.
   */
  read<T>(how: { alone: boolean }, work: (whole: Whole) => Promise<T>): Promise<T>;
  /**
   * Fills an empty store; refused if there is one. `check` gets what was written, and only counts if it doesn't throw:
   * all of it is there afterwards, or nothing.
   */
  fill(whole: Whole, check: (written: Whole) => Promise<void>): Promise<void>;
  status(): Promise<StoreStatus>;
  /** Reads everything and says what is wrong with the first event that is not as it was written. Changes nothing. */
  verify(): Promise<Verified>;
  /** Calls `work` with the log as evidence, of one moment. */
  testify<T>(work: (evidence: Evidence) => Promise<T>): Promise<T>;
}

/** The log as it is stored, unchecked: whoever could write to it may have changed it. */
export interface Evidence {
  base: number;
  /** The link that the first event follows. */
  base_chain: Buffer;
  /** Where the log should end, by all that says so. */
  tip: number;
  /** The public keys of the machines that may sign, by what seals call them. */
  keys: ReadonlyMap<string, Buffer>;
  /** The key that made the stamps in it; null where nobody but the writer could check any. */
  own: { sign(text: string): Buffer; isStamped(text: string, stamp: Buffer): boolean } | null;
  /** What this machine has seen of it; null if it kept nothing. */
  witness: { seq: number; chain: Buffer } | null;
  /** What limits the check, in words. */
  warnings: string[];
  /** Whatever is there, in the order of its numbers. */
  rows(): AsyncIterable<readonly Testimony[]>;
}

export interface Testimony extends Entry {
  /** Null: it has none. */
  chain: Buffer | null;
  /** With the last event of those that were written together. `sig` is a signature, or a stamp of the log's own key. */
  seal: { first: number; signer: string; sig: Buffer | null } | null;
}

/** A log from its beginning to its end. What is read of it was checked; damage is refused. */
export interface Whole {
  /** Events up to and including this one were compacted. */
  base: number;
  /** The link of that one, where the store keeps links. */
  base_chain: Buffer | null;
  tip: number;
  /** Whether texts in it were erased: an older oj could not make sense of it. */
  erased: boolean;
  /** Whether somebody who left is in it: an older oj would let them in. */
  removed: boolean;
  /** The newest that can be used; there is one if anything was compacted. */
  snapshot: { seq: number; state: string } | null;
  /** From the first event to the last, in order; from the start again with each call. */
  pages(): AsyncIterable<readonly Entry[]>;
}

/** An event as it is stored. */
export interface Entry {
  seq: number;
  stream: string;
  body: string;
  /** Only where its texts were erased: the link that it was written with. */
  link?: Buffer;
}

export interface StoreStatus {
  kind: WholeStore["kind"];
  /** Where it is, without a password. */
  at: string;
  /** Whether there is one yet. */
  exists: boolean;
  /** The last event, and the first that is still there; 0 if there is none. */
  tip: number;
  first: number;
  /** The event that the newest snapshot reaches to. */
  snapshot: number | null;
  bytes: number;
  /** The machines that share it, and since when each has been away. */
  machines: { name: string; away_since_ms: number | null }[];
}

export interface Verified {
  events: number;
  tip: number;
  /** The first event that is damaged, missing, or not what was written; null: all are sound. */
  problem: { seq: number; what: string } | null;
  /** What else is wrong, and does no harm yet: a snapshot that can't be used. */
  warnings: string[];
}

export function absent(shown: string): Refusal {
  return new Refusal("store.absent", `There is no store in ${shown}.`, "oj store status");
}

export function notEmpty(shown: string): Refusal {
  const message = `${shown} already holds a store; nothing was written.`;
  return new Refusal("store.not-empty", message, "name an empty database, or a folder without one");
}

/** `by` names the machines, where there may be several. */
export function inUse(shown: string, by = "A daemon"): Refusal {
  return new Refusal("store.in-use", `${by} is using ${shown}; nothing was written.`, "oj daemon stop");
}
