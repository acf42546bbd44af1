/** An answer in a reply: a number or a label in the first line, and words. */
import type { DecisionView } from "../../api/api.ts";
import { ownWords } from "./quoted.ts";

export interface ReplyAnswer {
  choices: number[][];
  option: string | null;
  text: string | null;
  message: string | null;
}

/** Null: the reply says nothing. */
export function readReply(decision: DecisionView, mail: string): ReplyAnswer | null {
  const words = ownWords(mail);
  if (words === "") return null;
  if (decision.questions.length > 1) return several(decision, words);
  const [first = "", ...rest] = words.split("\n");
  const numbered = numbersIn(first, decision.questions[0]?.multi_select ?? false);
  if (numbered) return answer(decision, [numbered.numbers], [numbered.rest, ...rest].join("\n"));
  const named = decision.options.find((it) => isNamed(it, first));
  if (named) return answer(decision, [[named.number]], rest.join("\n"));
  return { choices: [], option: null, text: null, message: words };
}

/** A line for each question, in their order; what follows is a message. */
function several(decision: DecisionView, words: string): ReplyAnswer {
  const lines = words.split("\n").filter((it) => it.trim() !== "");
  const choices: number[][] = [];
  const said: string[] = [];
  for (const [at, { multi_select }] of decision.questions.entries()) {
    const found = numbersIn(lines[at] ?? "", multi_select);
    if (!found) break;
    choices.push(found.numbers);
    if (found.rest !== "") said.push(found.rest);
  }
  const message = [...said, ...lines.slice(choices.length)].join("\n");
  const named = choices.length === 0 ? decision.options.find((it) => isNamed(it, lines[0] ?? "")) : undefined;
  if (named) return { choices: [], option: named.key, text: null, message: blank(lines.slice(1).join("\n")) };
  const isOther = decision.questions.some(({ options }, at) => choices[at]?.includes(options.length + 1));
  return {
    choices,
    option: null,
    text: isOther ? blank(message) : null,
    message: isOther ? null : blank(message),
  };
}

/** "1", "2.", "(3)", "#1", "option 2", "1 because …", and "1,3" where several may be chosen. */
const NUMBER = /^\s*(?:option\s+|#|\()?\s*(\d{1,3})(?!\d)\s*(.*)$/i;
const MORE = /^\s*(?:,|\+|&|and)\s*(\d{1,3})(?!\d)\s*(.*)$/i;

function numbersIn(line: string, multiple: boolean): { numbers: number[]; rest: string } | null {
  const [, number, after = ""] = NUMBER.exec(line) ?? [];
  if (number === undefined) return null;
  const numbers = [Number(number)];
  let rest = after;
  for (let found = MORE.exec(rest); multiple && found; found = MORE.exec(rest)) {
    numbers.push(Number(found[1]));
    rest = found[2] ?? "";
  }
  return { numbers: [...new Set(numbers)], rest: rest.replace(/^[.):;,\-–—\s]+/, "") };
}

function isNamed({ label, key }: DecisionView["options"][number], line: string): boolean {
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

/** The words fill in "Other"; with any other choice they are a message. */
function answer({ options }: DecisionView, choices: number[][], words: string): ReplyAnswer {
  const isOther = options.some((it) => it.key === "other" && choices[0]?.includes(it.number));
  const said = blank(words);
  return { choices, option: null, text: isOther ? said : null, message: isOther ? null : said };
}

function blank(text: string): string | null {
  return text.trim() === "" ? null : text.trim();
}
