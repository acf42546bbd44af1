/** A session of an agent client that oj did not start: its hooks tell of it. The rules about its turns are in `turn.ts`. */
import type { DecisionId } from "./ids.ts";

export interface HookedSession {
  id: string;
  project: string;
  cwd: string;
  /** Turns that a person began. */
  turns: number;
  turn_began_ms: number;
  /** The decision that was offered in this turn. */
  offered: DecisionId | null;
  /** How often in this turn it was kept from ending. */
  blocks: number;
  seen_at_ms: number;
}

export type SessionFact =
  | { type: "session:found"; id: string; project: string; cwd: string }
  | { type: "session:turned"; id: string; project: string }
  | { type: "session:offered"; id: string; project: string; decision_id: DecisionId }
  | { type: "session:blocked"; id: string; project: string; count: number }
  /** It was kept from ending as often as allowed, and then let go. */
  | { type: "session:overridden"; id: string; project: string; blocks: number; last_message: string }
  | { type: "session:forgotten"; id: string; project: string };
