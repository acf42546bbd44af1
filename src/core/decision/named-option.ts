/** Finds an option by its name: its key, or its label in any case. Numbers are not names. */
import type { Decision } from "../model/decision-types.ts";
import { Refusal } from "../model/errors.ts";
import { howToAnswer } from "../text/resolve-hint.ts";
import { suggest } from "../text/suggest.ts";

interface Named {
  key?: string;
  label: string;
}

/** The numbers of the options that the word names: none, one, or several if their labels differ only in case. */
export function numbersNamed(options: readonly Named[], word: string): number[] {
  const found = (fits: (it: Named) => boolean) =>
    options.flatMap((it, index) => (fits(it) ? [index + 1] : []));
  const exact = found((it) => it.label === word.trim());
  if (exact.length > 0) return exact;
  return found((it) => plain(it.label) === plain(word) || it.key === plain(word));
}

/** The number of the option with that name, or a refusal that says which one was probably meant. */
export function optionNamed(decision: Pick<Decision, "id" | "options" | "questions">, word: string): number {
  const { id, options } = decision;
  const [number, ...more] = numbersNamed(options, word);
  if (number !== undefined && more.length === 0) return number;
  if (number !== undefined)
    throw new Refusal(
      "decision.ambiguous",
      `"${word}" is the name of options ${[number, ...more].join(" and ")} of ${id}`,
      howToAnswer(decision),
    );
  const near = suggest(
    word,
    options.flatMap((it) => [it.label, it.key]),
  );
  throw new Refusal(
    "decision.out-of-range",
    `${id} has no option "${word}"${near === null ? "" : `; did you mean "${near}"?`}`,
    howToAnswer(decision),
  );
}

function plain(text: string): string {
  return text.trim().replace(/\s+/g, " ").toLowerCase();
}
