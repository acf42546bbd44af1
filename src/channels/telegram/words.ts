/** An answer in a reply: a number or a label first, and words. Words alone fill in the option that is made for them. */
import type { DecisionView } from "../../api/api.ts";
import { needsWords, takesOne } from "../text/ask.ts";

export interface WordsAnswer {
  choices: number[][];
  option: string | null;
  text: string | null;
  message: string | null;
}

const NUMBERED = /^\s*#?(\d{1,2}(?:\s*,\s*\d{1,2})*)(?:[.):]|\s|$)\s*([\s\S]*)$/;

export function answerIn(decision: DecisionView, words: string): WordsAnswer {
  if (decision.questions.length > 1) return severalIn(decision, words);
  const [, list, rest = ""] = NUMBERED.exec(words) ?? [];
  const numbers = list?.split(",").map(Number) ?? [];
  const isKnown = numbers.length > 0 && numbers.every((it) => decision.options.some((o) => o.number === it));
  if (isKnown && (numbers.length === 1 || !takesOne(decision)))
    return withWords(decision, numbers, rest.trim());
  const label = words.trim().toLowerCase();
  const named = decision.options.find((it) => it.label.toLowerCase() === label || it.key === label);
  const found = named ?? decision.options.find((it) => needsWords(decision, it));
  return withWords(decision, found ? [found.number] : [], named ? "" : words.trim());
}

function withWords({ options }: DecisionView, numbers: number[], words: string): WordsAnswer {
  const isOther = options.some((it) => it.key === "other" && numbers.includes(it.number));
  const said = words === "" ? null : words;
  return {
    choices: numbers.length === 0 ? [] : [numbers],
    option: null,
    text: isOther ? said : null,
    message: isOther ? null : said,
  };
}

/** A line for each question; an option of the whole decision by its name; what comes after is a message. */
function severalIn({ questions, options }: DecisionView, words: string): WordsAnswer {
  const lines = words
    .split("\n")
    .map((it) => it.trim())
    .filter((it) => it !== "");
  const named = options.find((it) =>
    [it.key, it.label.toLowerCase()].includes(lines[0]?.toLowerCase() ?? ""),
  );
  const message = (from: number) => lines.slice(from).join("\n") || null;
  if (named) return { choices: [], option: named.key, text: null, message: message(1) };
  const choices = lines
    .slice(0, questions.length)
    .map((it) => (/^\d{1,2}(\s*,\s*\d{1,2})*$/.test(it) ? it.split(",").map(Number) : []));
  return { choices, option: null, text: null, message: message(questions.length) };
}
