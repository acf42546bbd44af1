/** How a question ended, as a program wants to know it. */
import type { DecisionView, OptionView } from "../api/api.ts";
import { never } from "../core/model/errors.ts";

/**
 * What became of a question. `kind` says which; only `answered` is an answer. A timeout is not a "no": the question is
 * still there, and `await` with its `id` goes on waiting.
 */
export type Outcome = Answered | Ended | TimedOut;

/** A person answered. */
export interface Answered {
  kind: "answered";
  id: string;
  /** The option that was chosen; null where the answer is text, or answers several questions at once. */
  option: OptionView | null;
  /** What the person wrote in place of an option. */
  text: string | null;
  /** What the person added to the choice. */
  message: string | null;
  /** Who answered. */
  by: string;
  decision: DecisionView;
}

/** It ended without an answer: put aside, replaced by a newer question, taken back, or too old. */
export interface Ended {
  kind: "dismissed" | "superseded" | "withdrawn" | "expired";
  id: string;
  /** Why, where somebody said so. */
  reason: string | null;
  /** The question that took its place. */
  superseded_by: string | null;
  decision: DecisionView;
}

/** Nobody answered in the time that was given. The question still waits. */
export interface TimedOut {
  kind: "timeout";
  id: string;
}

/** Nobody has answered yet. */
export interface Pending {
  kind: "pending";
  id: string;
  decision: DecisionView;
}

export function outcomeOf(decision: DecisionView): Answered | Ended | Pending {
  const { id, state, answer, ended, superseded_by } = decision;
  switch (state) {
    case "pending":
      return { kind: "pending", id, decision };
    case "resolved":
      return {
        kind: "answered",
        id,
        option: decision.options.find((it) => it.number === answer?.chosen) ?? null,
        text: answer?.text ?? null,
        message: answer?.message ?? null,
        by: answer?.by ?? "",
        decision,
      };
    case "dismissed":
    case "superseded":
    case "withdrawn":
    case "expired":
      return { kind: state, id, reason: ended?.reason ?? answer?.message ?? null, superseded_by, decision };
    default:
      return never(state);
  }
}
