/** A session of an agent client that oj did not start: its hooks tell of it. The rules about its turns are in `turn.ts`. */
import type { Fixed } from "./fixed.ts";
import type { DecisionId } from "./ids.ts";

export type HookedSession = Fixed<{
  id: string;
  project: string;
  cwd: string;
  /** The process of its client, as its hooks name it (`pid.start`): what descends from it is the session's. Null where none was told. */
  client?: string | null;
  /** Turns that a person began. */
  turns: number;
  turn_began_ms: number;
  /** The decision that was offered in this turn. */
  offered: DecisionId | null;
  /** How often in this turn it was kept from ending. */
  blocks: number;
  seen_at_ms: number;
}>;

export type SessionFact =
  | { type: "session:found"; id: string; project: string; cwd: string; client?: string | null }
  /** It goes on in this process: begun anew there by `/clear`, or taken up again by another. */
  | { type: "session:moved"; id: string; project: string; client: string }
  | { type: "session:turned"; id: string; project: string }
  /** What it asked before its hooks had told of it. Old logs have requests here whose ids a command of it had printed. */
  | { type: "session:offered"; id: string; project: string; decision_id: DecisionId }
  | { type: "session:blocked"; id: string; project: string; count: number }
  /** It was kept from ending as often as allowed, and then let go. */
  | { type: "session:overridden"; id: string; project: string; blocks: number; last_message: string }
  | { type: "session:forgotten"; id: string; project: string };
