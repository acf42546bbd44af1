/** The questions of Codex's `request_user_input`, and the answers in its result. */
import type { CallEnd } from "../../core/agent/dialog.ts";
import type { Question } from "../../core/model/decision-types.ts";
import { isObject, parsed, text } from "../json-value.ts";

export const QUESTION_TOOL = "request_user_input";

/** Returns none at all if one of them can't be read. The call is then asked about as it is. */
export function questionsOf(input: unknown): Question[] {
  const questions = asked(input).map(({ question, header, options }): Question | null => {
    const given = (Array.isArray(options) ? options : []).map((it) => ({
      label: isObject(it) ? text(it.label) : "",
      description: isObject(it) ? text(it.description) || null : null,
    }));
    if (text(question) === "" || given.length === 0 || given.some((it) => it.label === "")) return null;
    return { question: text(question), header: text(header) || null, multi_select: false, options: given };
  });
  return questions.some((it) => it === null) ? [] : (questions as Question[]);
}

/** The result names answers by the questions' ids: the label, and a note after it. */
export function answersIn(input: unknown, result: unknown): CallEnd {
  const given = parsed(text(result))?.answers;
  if (!isObject(given)) return {};
  const answers = asked(input).flatMap(({ id, question }): [string, string][] => {
    const answer = given[text(id)];
    const parts = isObject(answer) && Array.isArray(answer.answers) ? answer.answers.map(text) : [];
    return [[text(question), parts.map((it) => it.replace(/^user_note: /, "")).join(", ")]];
  });
  return { answers: Object.fromEntries(answers) };
}

function asked(input: unknown): Record<string, unknown>[] {
  return isObject(input) && Array.isArray(input.questions) ? input.questions.filter(isObject) : [];
}
