/** What travels about queues and the hooks of sessions that oj did not start. */
import type { Entry, Recipient } from "./core/queue-types.ts";

/** Whose queue: a session by its id, or a name in a project. */
export interface RecipientBody {
  project: string;
  session?: string;
  as?: string;
}

export interface InjectBody extends RecipientBody {
  /** The same id twice is one entry. */
  id?: string;
  kind?: "message" | "reminder";
  text: string;
}

export interface DrainBody extends RecipientBody {
  /** The same again gives the same entries again: a reply that was lost is asked for once more. */
  drain_id: string;
  limit?: number;
}

export interface DrainResult {
  recipient: Recipient;
  drain_id: string;
  entries: Entry[];
  /** Older ones that were left out, because too much waited. */
  left_out: number;
  /** Those that wait still. */
  waiting: number;
  /** All of it as one text. */
  text: string;
}

export interface HookQuery {
  /** Only this much of what the hook is for. */
  part?: "turn-clear" | "turn-mark" | "turn-check";
  /** A turn without a decision is remarked upon, and may end. */
  soft?: boolean;
  /** So many seconds a turn that ends with a question open waits for the answer. */
  wait_s?: number;
  /** The client's process, `pid.start`: what descends from it is the session's. */
  client?: string;
}

export interface QueueView {
  recipient: Recipient;
  project: string;
  waiting: number;
  /** How many of those are answers. */
  answers: number;
  /** Given to a hook whose response is not known to have got there. */
  in_hand: number;
  left_out: number;
  /** Ever put in. */
  count: number;
  oldest_at_ms: number | null;
  changed_at_ms: number;
}
