/** Reads the words of an answer from the command line. */
import type { DecisionView, ResolveBody } from "../../api/api.ts";
import { isOther } from "../../core/text/resolve-hint.ts";
import { usage } from "../base/fail.ts";

/** "2", or "1,3" where several may be chosen. */
export const CHOICE = /^-?\d{1,3}(,\d{1,3})*$/;

/** The first word is an id, whatever it looks like; numbers at the end are choices; everything between is an id. */
export function split(args: readonly string[]): { ids: string[]; words: string[] } {
  let end = args.length;
  while (end > 1 && CHOICE.test(args[end - 1] ?? "")) end--;
  return { ids: args.slice(0, end), words: args.slice(end) };
}

/** "2" "1,3" → [[2], [1, 3]]; a single word is the name of an option. */
export function answerOf(
  words: readonly string[],
  text: string | undefined,
  message: string | undefined,
): ResolveBody {
  const [only] = words;
  if (words.length === 1 && only !== undefined && !CHOICE.test(only))
    return { choices: [], option: only, text: text ?? null, message: message ?? null };
  const choices = words.map((it) => {
    if (!CHOICE.test(it))
      throw usage(`"${it}" is not a choice: choices are numbers`, "oj decision resolve ID N");
    return it.split(",").map(Number);
  });
  return { choices, text: text ?? null, message: message ?? null };
}

/** The first text is for the first question that is answered with Other, and so on. */
export function textsOf(
  { id, questions }: Pick<DecisionView, "id" | "questions">,
  { choices = [] }: ResolveBody,
  texts: readonly string[],
): (string | null)[] {
  const left = [...texts];
  const placed = questions.map((it, at) => (isOther(it, choices[at] ?? []) ? (left.shift() ?? null) : null));
  if (left.length > 0)
    throw usage(
      `${texts.length} texts were given, but Other was chosen for ${texts.length - left.length} of the questions of ${id}`,
      `oj decision show ${id}`,
    );
  return placed;
}
