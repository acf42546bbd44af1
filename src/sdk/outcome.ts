/** How a question ended, in a form that suits a program. */
import type { DecisionView, OptionView } from "../api/api.ts";
import { never } from "../core/model/errors.ts";

/**
 * What became of a question. `kind` says which; only `answered` is an answer. A timeout is not a "no": the question is
 * still pending, and `await` with its `id` keeps waiting.
 */
export type Outcome = Answered | Ended | TimedOut;

/** A person answered. */
export interface Answered {
  kind: "answered";
  id: string;
  /** The option that was chosen. Null if the answer is text, or answers several questions at once. */
  option: OptionView | null;
  /** What the person wrote instead of choosing an option. */
  text: string | null;
  /** What the person added to the choice. */
  message: string | null;
  /** Who answered. */
  by: string;
  decision: DecisionView;
}

/** The question ended without an answer: it was dismissed, replaced by a newer question, withdrawn, or it expired. */
export interface Ended {
  kind: "dismissed" | "superseded" | "withdrawn" | "expired";
  id: string;
  /** Why, if somebody said. */
  reason: string | null;
  /** The question that took its place. */
  superseded_by: string | null;
  decision: DecisionView;
}

/** Nobody answered within the timeout. The question is still pending. */
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
