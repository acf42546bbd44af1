/** What became of a decision, in short: what was answered, by whom, when, and whether it arrived. */
import type { Answer, Decision, DeliveryState, Via } from "../model/decision-types.ts";
import type { Outcome } from "../model/outcome.ts";
import { outcomeOf } from "../model/outcome.ts";

export interface Settled {
  outcome: Outcome;
  /** The answer in words, or why there was none; cut, for a list. */
  words: string;
  by: string | null;
  via: Via | null;
  at_ms: number;
  delivery: DeliveryState;
}

type Ended = Pick<
  Decision,
  "state" | "options" | "questions" | "answer" | "ended" | "delivery" | "superseded_by" | "created_at_ms"
>;

/** A list shows the beginning; the decision itself has the rest. */
const LONGEST_WORDS = 200;

/** Null while it is pending. */
export function settledOf(decision: Ended): Settled | null {
  const { state, answer, ended, delivery, created_at_ms } = decision;
  if (state === "pending") return null;
  const words = resultOf(decision);
  return {
    outcome: outcomeOf(decision),
    words: words.length > LONGEST_WORDS ? `${words.slice(0, LONGEST_WORDS - 1)}…` : words,
    by: answer?.by ?? ended?.by ?? null,
    via: answer?.via ?? null,
    at_ms: answer?.resolved_at_ms ?? ended?.at_ms ?? created_at_ms,
    delivery: delivery.state,
  };
}

type Answered = Pick<Decision, "questions" | "answer">;

/** Each of several questions with its answer; empty if there was one question or none. */
function answersOf({ questions, answer }: Answered): { question: string; answer: string }[] {
  if (!answer || questions.length < 2 || answer.choices.length !== questions.length) return [];
  return questions.map(({ header, question }, at) => ({
    question: header ?? question,
    answer: answer.labels[at] ?? "",
  }));
}

/** The whole answer in words, or why there was none. */
export function resultOf(decision: Answered & Pick<Decision, "ended" | "superseded_by">): string {
  const { answer, ended, superseded_by } = decision;
  if (!answer) return ended?.reason ?? (superseded_by === null ? "" : `by ${superseded_by}`);
  const several = answersOf(decision).map((it) => `${it.question}: ${it.answer}`);
  return several.length > 0 ? several.join("; ") : oneAnswer(answer);
}

/** The label and the words that fill it in; else the message, which then is the answer. */
function oneAnswer({ labels, text, message }: Answer): string {
  const chosen = [labels.join(", "), text ?? ""].filter((it) => it !== "").join(": ");
  return chosen || (message ?? "");
}

/** What came of a decision that nobody answered: "nobody answered within 1h; by default: No". */
export function expiryWords({ ended, answer }: Pick<Decision, "ended" | "answer">): string {
  const chosen = answer ? `; by default: ${answer.labels.join(", ")}` : "";
  return `${ended?.reason ?? "nobody answered in time"}${chosen}`;
}
