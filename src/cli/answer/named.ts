/** Tells ids from the names of options: `oj decision resolve 7k3 p4q Approve`. */
import type { ApiClient, DecisionView } from "../../api/api.ts";
import { numbersNamed } from "../../core/decision/named-option.ts";
import { Refusal } from "../../core/model/errors.ts";
import { howToAnswer, otherNumber, withOther } from "../../core/text/resolve-hint.ts";
import { suggest } from "../../core/text/suggest.ts";
import { usage } from "../base/fail.ts";
import { CHOICE, split } from "./given.ts";

type Asked = Pick<DecisionView, "id" | "options" | "questions">;
type Decisions = Pick<ApiClient, "decision">;

export interface Words {
  ids: string[];
  /** Numbers, or names of options. */
  words: string[];
}

/** Whether some word may be a name: then the decision itself must be asked what its options are called. */
export function hasNames(args: readonly string[]): boolean {
  return args.slice(1).some((it) => !CHOICE.test(it) && !isId(it));
}

/** The words at the end that answer the first decision; everything before them is an id. */
export async function splitNamed(client: Decisions, args: readonly string[]): Promise<Words> {
  const first = await client.decision(args[0] ?? "").catch(() => null);
  if (first === null) return split(args); // it has a result of its own, like every other id
  let end = args.length;
  while (end > 1 && isAnswer(first, args[end - 1] ?? "")) end--;
  const [ids, words] = [args.slice(0, end), args.slice(end)];
  for (const word of words) await refuseIfId(client, first, word);
  if (words.length === 0) for (const word of ids.slice(1)) await refuseIfNothing(client, first, word);
  return { ids, words };
}

/**
 * Numbers in place of the names of a question's options. The name of one of the decision's own options stays: each of
 * several decisions may have it under another number.
 */
export async function withNumbers(
  client: Decisions,
  ids: readonly string[],
  words: readonly string[],
): Promise<readonly string[]> {
  const [only = ""] = words;
  if (words.every((it) => CHOICE.test(it))) return words;
  const decision = await client.decision(ids[0] ?? "");
  const isOption = numbersNamed(decision.options, only).length > 0 || decision.questions.length === 0;
  if (words.length === 1 && (isOption || isDismiss(only))) return words;
  if (ids.length > 1)
    throw usage(
      "several decisions take one answer: a number, or the name of an option they all have",
      `oj decision resolve ${ids.join(" ")} N`,
    );
  return words.map((word, at) => choicesOf(decision, at, word).join(","));
}

function choicesOf(decision: Asked, at: number, word: string): number[] {
  const question = decision.questions[at];
  if (CHOICE.test(word)) return word.split(",").map(Number);
  const all = question ? numbersIn(question, word) : numbersNamed(decision.options, word);
  if (all !== null) return all;
  const labels = question?.options.map((it) => it.label) ?? [];
  const near = suggest(word, question ? withOther(question, labels, "Other") : labels);
  throw new Refusal(
    "decision.out-of-range",
    `"${question?.question}" has no option "${word}"${near === null ? "" : `; did you mean "${near}"?`}`,
    howToAnswer(decision),
  );
}

/** "Auth,Export" names two, unless a label has that comma itself. Null if something in it is not a name. */
function numbersIn(question: DecisionView["questions"][number], word: string): number[] | null {
  const number = (name: string) => {
    const [found, ...more] = numbersNamed(question.options, name);
    if (found !== undefined) return more.length === 0 ? found : null;
    return name.trim().toLowerCase() === "other" ? otherNumber(question) : null;
  };
  const whole = number(word);
  if (whole !== null) return [whole];
  const parts = word.split(",").map(number);
  return parts.every((it) => it !== null) ? parts : null;
}

function isAnswer({ options, questions }: Asked, word: string): boolean {
  if (CHOICE.test(word)) return true;
  if (isId(word)) return false;
  return (
    isDismiss(word) ||
    numbersNamed(options, word).length > 0 ||
    questions.some((it) => numbersIn(it, word) !== null)
  );
}

/** Everything can be dismissed, whether or not it is among the options. */
function isDismiss(word: string): boolean {
  return word.toLowerCase() === "dismiss";
}

function isId(word: string): boolean {
  return /^dec-/i.test(word);
}

/** Nobody may answer one decision while meaning to name another. */
async function refuseIfId(client: Decisions, first: Asked, word: string): Promise<void> {
  if (CHOICE.test(word) || !/^\w{1,10}$/.test(word)) return;
  const found = await client.decision(word).catch(() => null);
  if (found === null) return;
  throw new Refusal(
    "decision.ambiguous",
    `"${word}" is an option of ${first.id}, and also the beginning of ${found.id}`,
    howToAnswer(first),
  );
}

async function refuseIfNothing(client: Decisions, first: Asked, word: string): Promise<void> {
  const { options, questions, id } = first;
  if (isId(word) || (await client.decision(word).catch(() => null)) !== null) return;
  const near = suggest(word, [
    ...options.flatMap((it) => [it.label, it.key]),
    ...questions.flatMap((it) => it.options.map((option) => option.label)),
  ]);
  throw new Refusal(
    "decision.out-of-range",
    `${id} has no option "${word}"${near === null ? ", and no decision's id begins with it" : `; did you mean "${near}"?`}`,
    howToAnswer(first),
  );
}
