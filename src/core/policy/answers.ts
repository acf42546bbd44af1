/** Policies that answer questions: whether one fits what is asked, and what it says. Approvals are in judge.ts. */
import { numbersNamed } from "../decision/named-option.ts";
import type { Option } from "../model/decision-types.ts";
import type { DecisionFact } from "../model/events.ts";
import type { Fixed } from "../model/fixed.ts";
import type { Policy } from "../model/policy-types.ts";
import type { Finding } from "./judge.ts";
import { weightOf, wordFits } from "./pattern.ts";

/** What is looked at of a question. */
export type AnswerAsked = Pick<
  Fixed<Extract<DecisionFact, { type: "decision:created" }>>,
  "source" | "questions" | "title" | "options" | "blocks"
>;

type Answers = Extract<Policy, { kind: "answer" }>;

/** `said`: what the agent or the session said last. */
export function answerFinding(policy: Answers, asked: AnswerAsked, said: string): Omit<Finding, "policy"> {
  const { match } = policy;
  const { source, questions, title, options, blocks } = asked;
  if (match.source !== source) return no(`it is a ${source}, not a ${match.source}`);
  if (questions.length > 1) return no("it asks several questions");
  if (blocks.length > 0) return no("other work is held up until a person answers");
  const texts: [string, string | null, string][] = [
    ["question", match.question, questions[0]?.question ?? title],
    ["said", match.said, said],
    ["title", match.title, title],
  ];
  for (const [name, pattern, text] of texts)
    if (pattern !== null && !wordFits(pattern, text.trim()))
      return no(`"${pattern}" does not fit the ${name}`);
  const option = optionOf(policy, options);
  if (!option) return no(`there is no one option "${match.option}"`);
  if (NEVER.has(option.action.type) || (option.action.type === "reply" && wordsOf(policy) === null))
    return no(`a policy can't choose "${option.label}"`);
  const weight = weightOf(texts.map((it) => it[1] ?? ""));
  return { fits: true, why: "every pattern fits", weight };
}

/** The option that it chooses, and the words that go with it. */
export function answerOf(
  policy: Answers,
  { options }: Pick<AnswerAsked, "options">,
): { option: string; message: string | null } {
  const option = optionOf(policy, options);
  return {
    option: option?.key ?? policy.match.option,
    message: option?.action.type === "reply" ? wordsOf(policy) : policy.message,
  };
}

const NUDGE = "nudge";

/** A session that oj did not start can't be nudged, but its turn is held open for a reply. */
function optionOf({ match }: Answers, options: readonly Option[]): Option | undefined {
  const [number, ...more] = numbersNamed(options, match.option);
  if (number === undefined && match.option.toLowerCase() === NUDGE)
    return options.find((it) => it.action.type === "reply");
  return number === undefined || more.length > 0 ? undefined : options[number - 1];
}

/** A reply is nothing without words. */
function wordsOf({ match, message }: Answers): string | null {
  return message ?? (match.option.toLowerCase() === NUDGE ? "Please continue with your task." : null);
}

function no(why: string): Omit<Finding, "policy"> {
  return { fits: false, why, weight: 0 };
}

/** A person must have looked at these, or must say something. */
const NEVER = new Set(["approve", "accept", "keys", "other", "revise"]);
