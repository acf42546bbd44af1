/**
 * What waits to be read by a session that oj did not start, or
 * by whoever asked under a name. The rules are in `queue.ts`.
 */
import type { Fixed } from "./fixed.ts";
import type { DecisionId, MachineName } from "./ids.ts";

/** Whose queue it is: a session by its id, or a name within a project. */
export type Recipient = `session:${string}` | `name:${string}`;

export const ENTRY_KINDS = ["answer", "reminder", "message"] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

export type Entry = Fixed<{
  /** Chosen by whoever queued it; the same id twice is one entry. */
  id: string;
  /** Its place in this queue, counted from 1. */
  number: number;
  kind: EntryKind;
  text: string;
  decision_id: DecisionId | null;
  from: string;
  at_ms: number;
}>;

/**
 * What one reader took. It is kept for a while, so that a reader that lost the response gets the same entries again.
 */
export type Drain = Fixed<{
  drain_id: string;
  at_ms: number;
  entries: Entry[];
  /** How many older entries were left out, because too many were waiting. */
  left_out: number;
  /** Taken by a reader that can't ask again: until it is received, it may still have to go back into the queue. */
  open: boolean;
  /** Where it was taken; absent where the log has one machine. */
  machine?: MachineName;
}>;

export type Queue = Fixed<{
  recipient: Recipient;
  project: string;
  entries: Entry[];
  /** How many entries were ever queued. */
  count: number;
  left_out: number;
  /** Ids of entries that are no longer in the queue, newest last. */
  past: string[];
  /** Newest last. */
  drains: Drain[];
  changed_at_ms: number;
}>;

export type QueueFact =
  | {
      type: "inject:queued";
      id: string;
      recipient: Recipient;
      project: string;
      kind: EntryKind;
      text: string;
      decision_id: DecisionId | null;
      from: string;
      /** Older entries that were dropped to make room for it. */
      left_out: string[];
    }
  | {
      type: "inject:drained";
      recipient: Recipient;
      project: string;
      drain_id: string;
      ids: string[];
      open: boolean;
    }
  | { type: "inject:received"; recipient: Recipient; project: string; drain_id: string }
  | { type: "inject:returned"; recipient: Recipient; project: string; drain_id: string }
  | { type: "inject:forgotten"; recipient: Recipient; project: string };

export function sessionRecipient(session: string): Recipient {
  return `session:${session}`;
}

/** The project's own slashes are escaped, so that `c` in project `a/b` and `b/c` in project `a` don't share a queue. */
export function nameRecipient(project: string, name: string): Recipient {
  return `name:${project.replaceAll("%", "%25").replaceAll("/", "%2F")}/${name}`;
}

/**
 * The recipient as it is written now: older logs have the project unescaped. The two can't be mixed up, because the
 * current form has no slash within the project.
 */
export function currentRecipient(recorded: Recipient, project: string): Recipient {
  const unescaped = `name:${project}/`;
  if (!/[%/]/.test(project) || !recorded.startsWith(unescaped)) return recorded;
  return nameRecipient(project, recorded.slice(unescaped.length));
}
