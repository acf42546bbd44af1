/** An answer in words that somebody typed: a number or a label in the first line, and what they add to it. */
import type { DecisionView, OptionView } from "../../api/api.ts";
import { isOther } from "../../core/text/resolve-hint.ts";
import { wordsNeededBy } from "../../inbox/card/needs.ts";
import type { Chosen } from "./chosen.ts";
import { chosen, placed } from "./chosen.ts";

/** Words alone fill in the option that is made for them. */
export function answerIn(decision: DecisionView, words: string): Chosen {
  if (decision.questions.length > 1) return answersIn(decision, words);
  const [first = "", ...rest] = words.trim().split("\n");
  const numbered = numbersIn(first, decision.questions[0]?.multi_select ?? false);
  if (numbered) return chosen(decision, numbered.numbers, [numbered.rest, ...rest].join("\n"));
  const named = decision.options.find((it) => isNamed(it, first));
  if (named) return chosen(decision, [named.number], rest.join("\n"));
  const own = decision.options.find((it) => wordsNeededBy(it, decision) !== null);
  return chosen(decision, own ? [own.number] : [], words);
}

/** A line for each question, in their order; what follows is a message, or fills in the Other that has no words yet. */
function answersIn({ questions, options }: DecisionView, words: string): Chosen {
  const lines = words.split("\n").filter((it) => it.trim() !== "");
  const choices: number[][] = [];
  const own: (string | null)[] = [];
  const said: string[] = [];
  for (const [at, question] of questions.entries()) {
    const found = numbersIn(lines[at] ?? "", question.multi_select);
    if (!found) break;
    const { numbers, rest } = found;
    const fills = isOther(question, numbers);
    choices.push(numbers);
    own.push(fills && rest !== "" ? rest : null);
    if (!fills && rest !== "") said.push(rest);
  }
  const named = choices.length === 0 ? options.find((it) => isNamed(it, lines[0] ?? "")) : undefined;
  if (named) return { choices: [], option: named.key, ...placed(lines.slice(1).join("\n"), false) };
  const isLeft = questions.some((it, at) => isOther(it, choices[at] ?? []) && own[at] === null);
  const { text, message: after } = placed(lines.slice(choices.length).join("\n"), isLeft);
  const message = [...said, ...(after === null ? [] : [after])].join("\n") || null;
  const [only = null, ...more] = own.filter((it) => it !== null);
  if (more.length > 0 || (only !== null && isLeft))
    return { choices, option: null, text, texts: own, message };
  return { choices, option: null, text: only ?? text, message };
}

/**
 * "1", "2.", "(3)", "#1", "option 2", "1 because …", and "1,3" where several may be chosen. What is part of a longer number
 * or word ("1.5 s", "2x", "1st", "10%", "1/2") chooses nothing.
 */
const NUMBER = /^\s*(?:option\s+|#|\()?\s*(\d{1,3})(?=$|\s|[):;]|[.,–—-](?!\d))\s*(.*)$/i;
const FIRST_OF_SEVERAL = /^\s*(?:options?\s+|#|\()?\s*(\d{1,3})(?=$|\s|[):;,+&]|[.–—-](?!\d))\s*(.*)$/i;
const MORE = /^\s*(?:,|\+|&|and)\s*(\d{1,3})(?!\d)\s*(.*)$/i;

function numbersIn(line: string, multiple: boolean): { numbers: number[]; rest: string } | null {
  const [, number, after = ""] = (multiple ? FIRST_OF_SEVERAL : NUMBER).exec(line) ?? [];
  if (number === undefined) return null;
  const numbers = [Number(number)];
  let rest = after;
  for (let found = MORE.exec(rest); multiple && found; found = MORE.exec(rest)) {
    numbers.push(Number(found[1]));
    rest = found[2] ?? "";
  }
  return { numbers: [...new Set(numbers)], rest: rest.replace(/^[.):;,\-–—\s]+/, "") };
}

function isNamed({ label, key }: OptionView, line: string): boolean {
  const word = plain(line);
  return word !== "" && (plain(label) === word || plain(key) === word);
}

function plain(text: string): string {
  return text
    .trim()
    .replace(/[\s_-]+/g, " ")
    .replace(/[.!,;:]+$/, "")
    .toLowerCase();
}
