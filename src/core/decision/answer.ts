/** Reads a person's answer to a decision, or refuses it with the next thing to type. */
import type { Action, Answer, Decision, Option, Question, Via } from "../model/decision-types.ts";
import { Refusal } from "../model/errors.ts";
import type { Moment } from "../model/ids.ts";
import type { Proof } from "../rights/passkey.ts";
import { DISMISS } from "../template/options.ts";
import {
  howToAnswer,
  isOther,
  lastNumber,
  otherHint,
  otherNumber,
  severalWords,
} from "../text/resolve-hint.ts";
import { editFor } from "./edited.ts";
import { numbersNamed, optionNamed } from "./named-option.ts";

export interface ResolveInput {
  id: string;
  /** One list of option numbers for each question; a decision without questions takes one number. */
  choices: readonly (readonly number[])[];
  /** An option's key or label: "cancel", also where numbers are answers to questions. */
  option?: string | null;
  text: string | null;
  /** Words for each of several questions; `text` is for those without any here. */
  texts?: readonly (string | null)[];
  message: string | null;
  /** The input that the agent's call shall have in place of its own. */
  input?: unknown;
  by: string;
  /** Who that is for rules about who may answer: never a name that the caller chose. Null or absent: no person. */
  who?: string | null;
  /** Signed with a passkey; the daemon has checked the signature. */
  proof?: Proof | null;
  /** They came with a token, so that their roles say whether their answer still counts. */
  member?: boolean;
  via: Via;
  /** The policy that answers in a person's place. */
  policy?: NonNullable<Answer["policy"]>;
}

export interface Given {
  answer: Answer;
  action: Action;
  option: Option | null;
}

/** The answer as it is recorded, and what it does. */
export function answerTo(decision: Decision, input: ResolveInput, moment: Moment): Given {
  const given = choiceOf(decision, input, moment);
  const edit = editFor(decision, given.action, input.input);
  return edit === null ? given : { ...given, answer: { ...given.answer, ...edit } };
}

function choiceOf(decision: Decision, input: ResolveInput, moment: Moment): Given {
  const texts = textsFor(decision, input);
  const text = blankToNull(input.text) ?? (decision.questions.length > 1 ? null : (texts?.[0] ?? null));
  const message = blankToNull(input.message);
  const said = {
    text,
    message,
    by: input.by,
    via: input.via,
    resolved_at_ms: moment.at_ms,
    ...(input.policy ? { policy: input.policy } : {}),
  };
  if (input.option) return namedAnswer(decision, input.option, said);
  if (decision.questions.length > 1 && input.choices.length > 0)
    return answersToAll(decision, input.choices, texts ? { ...said, texts } : said);

  const numbers = input.choices.flat();
  if (numbers.length === 0 && text === null && message === null) throw nothingGiven(decision);
  const [question] = decision.questions;
  const several = question?.multi_select === true && numbers.every((it) => it <= lastNumber(question));
  if (input.choices.length > 1 || (numbers.length > 1 && !several)) {
    throw new Refusal("decision.wrong-count", tooMany(decision, input.choices), howToAnswer(decision));
  }
  const options = numbers.map((it) => optionAt(decision, it));
  const [option] = options;
  if (!option)
    return {
      answer: { chosen: null, choices: [], labels: [], ...said },
      action: wordsAlone(decision),
      option: null,
    };
  for (const it of options) demandWords(decision, it, said, numbers.join(","));
  const answer = {
    chosen: numbers[0] ?? null,
    choices: [numbers],
    labels: options.map((it) => it.label),
    ...said,
  };
  return { answer, action: option.action, option };
}

/** Some options are nothing without words. */
function demandWords(
  { id }: Decision,
  { label, action }: Option,
  { text, message }: Pick<Answer, "text" | "message">,
  choice: string,
): void {
  const needed = WORDS_FOR[action.type];
  if (needed === undefined || text !== null || message !== null) return;
  throw new Refusal(
    "decision.text-required",
    `"${label}" needs ${needed.what}`,
    `oj decision resolve ${id} ${choice} ${needed.flag} "…"`,
  );
}

const WORDS_FOR: Partial<Record<Action["type"], { what: string; flag: string }>> = {
  other: { what: "an answer in your own words", flag: "--text" },
  revise: { what: "a message that says what to change", flag: "-m" },
  reply: { what: "a message: the agent is waiting for an answer", flag: "-m" },
};

/** Null if there are no words in any of them. */
function textsFor({ id, questions }: Decision, { texts = [] }: ResolveInput): (string | null)[] | null {
  if (texts.length > Math.max(1, questions.length))
    throw new Refusal(
      "decision.wrong-count",
      `${id} asks ${questions.length} questions; texts for ${texts.length} were given`,
      `oj decision show ${id}`,
      { questions: questions.length },
    );
  const given = texts.map(blankToNull);
  return given.some((it) => it !== null) ? given : null;
}

/**
 * A choice for every question. The number after a question's last option is "Other", which its own text or `--text`
 * fills in.
 */
function answersToAll(
  decision: Decision,
  choices: readonly (readonly number[])[],
  said: Omit<Answer, "chosen" | "choices" | "labels">,
): { answer: Answer; action: Action; option: null } {
  const { questions, id } = decision;
  if (choices.length !== questions.length) {
    throw new Refusal(
      "decision.wrong-count",
      `${id} asks ${questions.length} questions; ${choices.length} ${choices.length === 1 ? "choice was" : "choices were"} given`,
      howToAnswer(decision),
      { questions: questions.length },
    );
  }
  for (const [index, question] of questions.entries()) checkChoice(decision, question, choices[index] ?? []);
  const labels = questions.map((question, index) => {
    const text = said.texts?.[index] ?? said.text;
    if (text === null && isOther(question, choices[index] ?? []))
      throw new Refusal(
        "decision.text-required",
        `Other for "${question.question}" needs an answer in your own words`,
        otherHint(decision, choices),
      );
    return (choices[index] ?? []).map((it) => question.options[it - 1]?.label ?? text ?? "");
  });
  return {
    answer: { chosen: null, choices, labels: labels.map((it) => it.join(", ")), ...said },
    action: { type: "answer" },
    option: null,
  };
}

function checkChoice(decision: Decision, question: Question, numbers: readonly number[]): void {
  if (numbers.length === 0 || (numbers.length > 1 && !question.multi_select))
    throw new Refusal(
      "decision.wrong-count",
      `"${question.question}" takes ${question.multi_select ? "at least one choice" : "one choice"}`,
      howToAnswer(decision),
    );
  const wrong = numbers.find((it) => it < 1 || it > lastNumber(question) || !Number.isInteger(it));
  if (wrong !== undefined)
    throw new Refusal(
      "decision.out-of-range",
      `"${question.question}" has ${question.options.length} options${otherWords(question)}; ${wrong} is not one of them.`,
      howToAnswer(decision),
      { options: question.options.length, id: decision.id },
    );
}

function otherWords(question: Question): string {
  const other = otherNumber(question);
  return other === null ? "" : `, and ${other} is Other`;
}

/** What words without a choice do: they go to whoever asked, and are refused where only a choice is an answer. */
function wordsAlone(decision: Decision): Action {
  switch (decision.source) {
    case "step":
      throw choiceRequired(
        decision,
        `${decision.id} decides where ${decision.owner.name} goes next: a message alone does not say`,
      );
    case "approval":
      throw choiceRequired(decision, `${decision.id} asks for a yes or a no: a message alone is neither`);
    case "question":
      if (decision.questions.length > 1)
        throw choiceRequired(
          decision,
          `${decision.id} asks ${decision.questions.length} questions: a message alone does not answer them`,
        );
      if (decision.questions[0]?.closed)
        throw choiceRequired(decision, `${decision.id} takes one of its options: a message alone is none`);
      return { type: "other" };
    case "plan":
      return { type: "revise" };
    case "request":
      return { type: "answer" };
    case "idle":
      return { type: decision.options.some((it) => it.action.type === "reply") ? "reply" : "nudge" };
    default:
      return { type: "retry" };
  }
}

function choiceRequired(decision: Decision, what: string): Refusal {
  return new Refusal("decision.choice-required", what, howToAnswer(decision));
}

/** An option by its key or label. Everything can be dismissed, whether or not Dismiss is among the options. */
function namedAnswer(
  decision: Decision,
  name: string,
  said: Omit<Answer, "chosen" | "choices" | "labels">,
): { answer: Answer; action: Action; option: Option } {
  const isListed = numbersNamed(decision.options, name).length > 0;
  const number = name.toLowerCase() === DISMISS.key && !isListed ? null : optionNamed(decision, name);
  const option = number === null ? DISMISS : optionAt(decision, number);
  demandWords(decision, option, said, `${number}`);
  const choices = number === null ? [] : [[number]];
  return {
    answer: { chosen: number, choices, labels: [option.label], ...said },
    action: option.action,
    option,
  };
}

function optionAt(decision: Decision, number: number): Option {
  const option = decision.options[number - 1];
  if (option && Number.isInteger(number)) return option;
  const count = decision.options.length;
  throw new Refusal(
    "decision.out-of-range",
    `${decision.id} has ${count} option${count === 1 ? "" : "s"}; ${number} is not one of them.${labelled(decision, number)}`,
    howToAnswer(decision),
    { options: count },
  );
}

/** A number is always a number; whoever meant a label that looks like one is told which option has it. */
function labelled({ options }: Decision, number: number): string {
  const [named] = numbersNamed(options, String(number));
  return named === undefined ? "" : ` The option labelled "${number}" is ${named}.`;
}

function nothingGiven(decision: Decision): Refusal {
  return new Refusal(
    "decision.nothing-given",
    `no answer was given for ${decision.id}`,
    howToAnswer(decision),
  );
}

function tooMany({ id, questions: [question] }: Decision, choices: readonly (readonly number[])[]): string {
  const many = choices.flat().length;
  if (question?.multi_select && choices.length === 1)
    return `Other, Cancel and Dismiss of ${id} can't be combined with other choices; ${severalWords(question)}`;
  return `${id} takes one choice; ${many} were given`;
}

function blankToNull(text: string | null): string | null {
  return text === null || text.trim() === "" ? null : text;
}
