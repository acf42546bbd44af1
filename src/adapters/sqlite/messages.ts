/** What travels between the daemon's thread and the store's: few, flat and small messages, because every commit waits for two of them. */
import type { RefusalCode } from "../../core/model/errors.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { Damage } from "../../ports.ts";
import { Behind } from "../../ports.ts";
import type { Append, Outcome } from "./store.ts";

export type Request =
  | [id: number, op: "open", repair: boolean]
  | [id: number, op: "append", append: Append]
  | [
      id: number,
      op: "read",
      after: number,
      limit: number,
      ids?: readonly string[] | undefined,
      how?: { passOver: boolean },
    ]
  | [id: number, op: "compact", seq: number, limit: number]
  | [id: number, op: "owes"]
  | [id: number, op: "scour"]
  | [id: number, op: "close"];

/** A bare id means done: most replies are to appends. */
export type Reply = number | [id: number, result: unknown] | [id: number, result: null, failure: Failure];

/** An error as data: threads can't send classes. */
export type Failure =
  | { kind: "behind" }
  | { kind: "refusal"; code: RefusalCode; message: string; hint: string | null; details: Refusal["details"] }
  | { kind: "bug"; message: string; stack: string };

/** What a thread of the store is started with. Requests ring `bell`, so that it can sleep without an event loop. */
export interface StoreThread {
  dir: string;
  version: string;
  bell: Int32Array;
}

/** What snapshots now cover, or why none was made; or what is damaged behind the newest. */
export type SnapshotReply = number | Failure | { damage: Damage | null };

export interface SnapshotThread {
  dir: string;
  version: string;
  /** Null: none is made, and what lies behind the newest is read and checked instead. */
  seq: number | null;
}

export function replyTo(id: number, outcome: Outcome): Reply {
  if (outcome === null) return id;
  if (outcome === "behind") return [id, null, { kind: "behind" }];
  return [id, null, toFailure(outcome.error)];
}

export function toFailure(error: unknown): Failure {
  if (error instanceof Refusal) {
    const { code, message, hint, details } = error;
    return { kind: "refusal", code, message, hint, details };
  }
  if (error instanceof Error) return { kind: "bug", message: error.message, stack: error.stack ?? "" };
  return { kind: "bug", message: String(error), stack: "" };
}

export function toError(failure: Failure): Error {
  switch (failure.kind) {
    case "behind":
      return new Behind();
    case "refusal":
      return new Refusal(failure.code, failure.message, failure.hint, failure.details);
    case "bug":
      return Object.assign(new Error(failure.message), { stack: failure.stack });
  }
}
