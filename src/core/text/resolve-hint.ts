/**
 * The next thing to type, to answer a decision or to follow an answer. Once
 * its `<1-4>` is filled in, each line that begins with `oj` works as it is.
 */

import type { Option, Question } from "../model/decision-types.ts";
import type { DecisionId } from "../model/ids.ts";

interface Asked {
  id: string;
  options: readonly Pick<Option, "key" | "label" | "recommended">[];
  questions: readonly Question[];
}

/** Options chosen by name, because with several questions the numbers are answers. No id looks like these words. */
export const NAMED = /^(cancel|dismiss)$/;

/** `oj decision resolve ID <1-4>`; with several questions, a placeholder for each: `<1-3> <1-4,…>`. */
export function resolveHint({ id, options, questions }: Asked): string {
  const places =
    questions.length > 1
      ? questions.map((it) => `<1-${lastNumber(it)}${it.multi_select ? ",…" : ""}>`)
      : [options.length === 1 ? "1" : `<1-${options.length}>`];
  return `oj decision resolve ${id} ${places.join(" ")}`;
}

/** What can be chosen, for hints: one line of options, or one for each of several questions. */
function optionLines({ options, questions }: Asked): string[] {
  const [only] = questions;
  if (questions.length > 1) return [...questions.map(questionLine), `by name: ${names(options).join(", ")}`];
  const line = options
    .map((it, index) => `${index + 1} ${it.label}${it.recommended ? " (recommended)" : ""}`)
    .join("  ");
  return only?.multi_select ? [line, severalWords(only)] : [line];
}

/** The options and the command that chooses one. */
export function howToAnswer(decision: Asked): string {
  return [...optionLines(decision), resolveHint(decision)].join("\n");
}

/** The same choices again, with a placeholder for the text of each Other. */
export function otherHint({ id, questions }: Asked, choices: readonly (readonly number[])[]): string {
  const others = questions.filter((it, at) => isOther(it, choices[at] ?? []));
  const words = others.map(() => ` --text "…"`).join("");
  return `oj decision resolve ${id} ${choices.map((it) => it.join(",")).join(" ")}${words}`;
}

/** Other comes after a question's own options. Null where own words are no answer. */
export function otherNumber({ options, closed }: Choices): number | null {
  return closed ? null : options.length + 1;
}

/** The last number that answers a question. */
export function lastNumber(question: Choices): number {
  return otherNumber(question) ?? question.options.length;
}

/** Whether these numbers of a question choose Other. */
export function isOther(question: Choices, numbers: readonly number[]): boolean {
  const other = otherNumber(question);
  return other !== null && numbers.includes(other);
}

/** A question's own options, and Other after them where own words are an answer. */
export function withOther<T>(question: Choices, own: readonly T[], other: T): T[] {
  return otherNumber(question) === null ? [...own] : [...own, other];
}

type Choices = Pick<Question, "options" | "closed">;

/** The example is itself a valid answer. */
export function severalWords({ options }: Pick<Question, "options">): string {
  return `several may be chosen: 1,${Math.max(2, options.length)}`;
}

function questionLine(question: Question): string {
  const own = question.options.map((it, index) => `${index + 1} ${it.label}`);
  const several = question.multi_select ? `  (${severalWords(question)})` : "";
  const all = withOther(question, own, `${lastNumber(question)} Other`);
  return `${question.header ?? question.question}: ${all.join("  ")}${several}`;
}

function names(options: Asked["options"]): string[] {
  return options.map((it) => it.key).filter((it) => NAMED.test(it));
}

/** What to type to follow this answer. */
export function followUp(id: DecisionId, successor: string): string {
  return `oj decision request --template ${successor} --predecessor ${id} …`;
}
