/**
 * What a line means that was typed where `review` asks for a choice. Anything that is not a command is text, and text is never searched
 * for commands.
 */
import type { DecisionView } from "../../api/api.ts";
import { NAMED } from "../../core/text/resolve-hint.ts";
import type { Choice } from "../../inbox/answer.ts";
import { wordsSuffice } from "../../inbox/answer.ts";
import { isRememberable } from "../../inbox/card/rule.ts";

export type Command =
  | { type: "numbers"; numbers: number[] }
  | { type: "named"; key: string }
  | { type: "words"; text: string }
  | { type: "remember" }
  | { type: "suggestion" }
  | { type: "skip" }
  | { type: "quit" }
  | { type: "help" };

/** Null: a line that says nothing here. */
export function readCommand(line: string, place: Choice, decision: DecisionView): Command | null {
  const text = line.trim();
  if (text === "") return null;
  if (text === "R" && isRememberable(decision)) return { type: "remember" };
  if (text === "P") return { type: "suggestion" };
  if (text === "s") return { type: "skip" };
  if (text === "q") return { type: "quit" };
  if (text === "?") return { type: "help" };
  if (text === "t") return takesWords(place, decision) ? { type: "words", text: "" } : null;
  if (NAMED.test(text) && decision.options.some((it) => it.key === text)) return { type: "named", key: text };
  if (/^\d{1,2}(\s*,\s*\d{1,2})*$/.test(text)) return numbersIn(text, place, decision);
  return takesWords(place, decision) ? { type: "words", text } : null;
}

/** Keys that act at once, without Enter: only if nothing longer could begin with them. */
export function actsAtOnce(key: string, place: Choice, decision: DecisionView): boolean {
  if (key === "R") return isRememberable(decision);
  if (key === "P") return !takesWords(place, decision);
  if (key === "s" || key === "q" || key === "?") return true;
  return !place.multiple && /^[1-9]$/.test(key) && Number(key) <= place.options.length;
}

/** Text is an answer by itself, or through Other. */
export function takesWords(place: Choice, decision: DecisionView): boolean {
  return otherOf(place) !== null || wordsSuffice(decision);
}

export function otherOf({ options }: Choice): number | null {
  return options.find((it) => it.needs === "text")?.number ?? null;
}

/** If several may be chosen, those are the question's own; the options after them are chosen alone. */
function numbersIn(text: string, place: Choice, { questions }: DecisionView): Command | null {
  const numbers = [...new Set(text.split(",").map(Number))];
  if (!numbers.every((it) => it >= 1 && it <= place.options.length)) return null;
  if (numbers.length === 1) return { type: "numbers", numbers };
  const most = questions.length > 1 ? place.options.length : (questions[0]?.options.length ?? 0);
  return place.multiple && numbers.every((it) => it <= most) ? { type: "numbers", numbers } : null;
}
