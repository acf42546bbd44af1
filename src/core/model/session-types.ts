/**
 * A session of an agent client that oj did not start and knows
 * only from its hooks. The rules about its turns are in `turn.ts`.
 */
import type { Fixed } from "./fixed.ts";
import type { DecisionId } from "./ids.ts";

export type HookedSession = Fixed<{
  id: string;
  project: string;
  cwd: string;
  /**
   * The client's process as its hooks name it (`pid.start`); its
   * descendants belong to the session. Null if no hook named one.
   */
  client?: string | null;
  /** Turns that a person started. */
  turns: number;
  turn_began_ms: number;
  /** The decision that was offered in this turn. */
  offered: DecisionId | null;
  /** How often this turn was kept from ending. */
  blocks: number;
  seen_at_ms: number;
}>;

export type SessionFact =
  | { type: "session:found"; id: string; project: string; cwd: string; client?: string | null }
  /** The session continues in this process: `/clear` started it afresh there, or another process resumed it. */
  | { type: "session:moved"; id: string; project: string; client: string }
  | { type: "session:turned"; id: string; project: string }
  /**
   * A decision that the session asked for before its hooks had reported it. Old logs also have requests here whose ids
   * one of the session's commands had printed.
   */
  | { type: "session:offered"; id: string; project: string; decision_id: DecisionId }
  | { type: "session:blocked"; id: string; project: string; count: number }
  /** The turn was kept from ending as often as allowed, and then let go. */
  | { type: "session:overridden"; id: string; project: string; blocks: number; last_message: string }
  | { type: "session:forgotten"; id: string; project: string };
