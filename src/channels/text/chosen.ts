/** An answer by number: what was chosen, and where the words that came with it go. */
import type { DecisionView } from "../../api/api.ts";
import { wordsNeededBy } from "../../inbox/card/needs.ts";

export interface Chosen {
  choices: number[][];
  /** The key of an option, where numbers are answers to questions. */
  option: string | null;
  text: string | null;
  /** Words for each of several questions, where more than one of them is answered in words. */
  texts?: (string | null)[];
  message: string | null;
}

/** The words fill in "Other"; with any other choice, and alone, they are a message. */
export function chosen(decision: DecisionView, numbers: number[], words: string | null): Chosen {
  const isOther = decision.options.some(
    (it) => numbers.includes(it.number) && wordsNeededBy(it, decision) === "text",
  );
  return { choices: numbers.length === 0 ? [] : [numbers], option: null, ...placed(words, isOther) };
}

/** Blank words say nothing. */
export function placed(words: string | null, isOther: boolean): Pick<Chosen, "text" | "message"> {
  const said = words === null || words.trim() === "" ? null : words.trim();
  return { text: isOther ? said : null, message: isOther ? null : said };
}
