/** Reads what a person gave as an answer to a decision, or refuses with the next thing to type. */
import type { Action, Answer, Decision, Option, Question, Via } from "./decision-types.ts";
import { Refusal } from "./errors.ts";
import type { Moment } from "./ids.ts";
import { optionLine } from "./options.ts";

export interface ResolveInput {
  id: string;
  /** One list of option numbers for each question; a decision without questions takes one number. */
  choices: number[][];
  /** An option by its key, where numbers stand for answers to questions: "cancel". */
  option?: string | null;
  text: string | null;
  /** Words for each of several questions; `text` is for those that have none here. */
  texts?: (string | null)[];
  message: string | null;
  by: string;
  via: Via;
}

/** The answer as it is recorded, and what it does. */
export function answerTo(
  decision: Decision,
  input: ResolveInput,
  moment: Moment,
): { answer: Answer; action: Action; option: Option | null } {
  const texts = textsFor(decision, input);
  const text = blankToNull(input.text) ?? (decision.questions.length > 1 ? null : (texts?.[0] ?? null));
  const message = blankToNull(input.message);
  const said = { text, message, by: input.by, via: input.via, resolved_at_ms: moment.at_ms };
  const keyed = input.option ? optionKeyed(decision, input.option) : null;
  if (keyed)
    return {
      answer: { chosen: keyed.number, choices: [[keyed.number]], labels: [keyed.option.label], ...said },
      action: keyed.option.action,
      option: keyed.option,
    };
  if (decision.questions.length > 1 && input.choices.length > 0)
    return answersToAll(decision, input.choices, texts ? { ...said, texts } : said);

  const numbers = input.choices.flat();
  if (numbers.length === 0 && text === null && message === null) throw nothingGiven(decision);
  const [question] = decision.questions;
  const several = question?.multi_select === true && numbers.every((it) => it <= question.options.length);
  if (input.choices.length > 1 || (numbers.length > 1 && !several)) {
    throw new Refusal(
      "decision.wrong-count",
      `${decision.id} takes one choice; ${numbers.length} were given`,
      resolveHint(decision),
    );
  }
  const options = numbers.map((it) => optionAt(decision, it));
  const [option] = options;
  if (!option)
    return {
      answer: { chosen: null, choices: [], labels: [], ...said },
      action: wordsAlone(decision),
      option: null,
    };
  if (option.action.type === "other" && text === null && message === null) {
    throw new Refusal(
      "decision.text-required",
      `"${option.label}" needs the words to go with it`,
      `oj decision resolve ${decision.id} ${numbers[0]} --text "…"`,
    );
  }
  if (option.action.type === "revise" && text === null && message === null) {
    throw new Refusal(
      "decision.text-required",
      `"${option.label}" needs a message that says what to change`,
      `oj decision resolve ${decision.id} ${numbers[0]} -m "…"`,
    );
  }
  const answer = {
    chosen: numbers[0] ?? null,
    choices: [numbers],
    labels: options.map((it) => it.label),
    ...said,
  };
  return { answer, action: option.action, option };
}

/** None, where there are no words in them. */
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

/** A choice for every question; a number one past a question's options is "Other", which its own text or `--text` fills. */
function answersToAll(
  decision: Decision,
  choices: number[][],
  said: Omit<Answer, "chosen" | "choices" | "labels">,
): { answer: Answer; action: Action; option: null } {
  const { questions, id } = decision;
  const hint = `oj decision resolve ${id} ${questions.map((it) => (it.multi_select ? "<n,n…>" : "<n>")).join(" ")}   (or: oj decision resolve ${id} cancel)`;
  if (choices.length !== questions.length) {
    throw new Refusal(
      "decision.wrong-count",
      `${id} asks ${questions.length} questions; ${choices.length} ${choices.length === 1 ? "choice was" : "choices were"} given`,
      hint,
      { questions: questions.length },
    );
  }
  const labels = questions.map((question, index) =>
    labelsOf(id, question, choices[index] ?? [], said.texts?.[index] ?? said.text, hint),
  );
  return {
    answer: { chosen: null, choices, labels: labels.map((it) => it.join(", ")), ...said },
    action: { type: "answer" },
    option: null,
  };
}

function labelsOf(
  id: string,
  question: Question,
  numbers: number[],
  text: string | null,
  hint: string,
): string[] {
  if (numbers.length === 0 || (numbers.length > 1 && !question.multi_select)) {
    throw new Refusal(
      "decision.wrong-count",
      `"${question.question}" takes ${question.multi_select ? "at least one choice" : "one choice"}`,
      hint,
    );
  }
  return numbers.map((number) => {
    const option = question.options[number - 1];
    if (option) return option.label;
    if (number === question.options.length + 1) {
      if (text === null)
        throw new Refusal(
          "decision.text-required",
          `Other on "${question.question}" needs the words to go with it`,
          `${hint} --text "…"`,
        );
      return text;
    }
    throw new Refusal(
      "decision.out-of-range",
      `"${question.question}" has ${question.options.length} options; ${number} is not one of them.`,
      hint,
      { options: question.options.length, id },
    );
  });
}

/** What words without a choice do: they go to whoever asked, unless only a choice says where a job goes. */
function wordsAlone(decision: Decision): Action {
  switch (decision.source) {
    case "step":
      throw choiceRequired(
        decision,
        `${decision.id} decides where ${decision.owner.name} goes: a message alone does not say`,
      );
    case "approval":
      throw choiceRequired(decision, `${decision.id} asks for a yes or a no: a message alone is neither`);
    case "question":
      if (decision.questions.length > 1)
        throw choiceRequired(
          decision,
          `${decision.id} asks ${decision.questions.length} questions: a message alone does not answer them`,
        );
      return { type: "other" };
    case "plan":
      return { type: "revise" };
    case "request":
      return { type: "answer" };
    default:
      return { type: decision.source === "idle" ? "nudge" : "retry" };
  }
}

function choiceRequired(decision: Decision, what: string): Refusal {
  return new Refusal("decision.choice-required", what, `${optionLine(decision)}\n${resolveHint(decision)}`);
}

function optionKeyed(decision: Decision, key: string): { option: Option; number: number } {
  const index = decision.options.findIndex((it) => it.key === key.toLowerCase());
  const option = decision.options[index];
  if (option) return { option, number: index + 1 };
  throw new Refusal(
    "decision.out-of-range",
    `${decision.id} has no option "${key}"`,
    `${optionLine(decision)}\n${resolveHint(decision)}`,
  );
}

function optionAt(decision: Decision, number: number): Option {
  const option = decision.options[number - 1];
  if (option && Number.isInteger(number)) return option;
  const count = decision.options.length;
  throw new Refusal(
    "decision.out-of-range",
    `${decision.id} has ${count} option${count === 1 ? "" : "s"}; ${number} is not one of them.`,
    `${optionLine(decision)}\n${resolveHint(decision)}`,
    { options: count },
  );
}

function nothingGiven(decision: Decision): Refusal {
  return new Refusal(
    "decision.nothing-given",
    `nothing was given to answer ${decision.id} with`,
    `${optionLine(decision)}\n${resolveHint(decision)}`,
  );
}

function resolveHint(decision: Decision): string {
  const range = decision.options.length === 1 ? "1" : `<1-${decision.options.length}>`;
  return `oj decision resolve ${decision.id} ${range}`;
}

function blankToNull(text: string | null): string | null {
  return text === null || text.trim() === "" ? null : text;
}
