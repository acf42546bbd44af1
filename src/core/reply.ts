/** A person's answer to a dialog: as the dialog takes it, and in words where the dialog is gone. */
import type { QuestionAnswer, Reply } from "./agent-types.ts";
import type { Action, Answer, Decision } from "./decision-types.ts";

const TYPES = ["approve", "deny", "choose", "other", "answer", "accept", "revise", "keys"] as const;
type DialogAction = Extract<Action, { type: (typeof TYPES)[number] }>;

export function isForDialog(action: Action): action is DialogAction {
  return TYPES.some((it) => it === action.type);
}

export function replyOf(decision: Decision, action: DialogAction, answer: Answer): Reply {
  switch (action.type) {
    case "approve":
    case "deny":
      return { type: action.type, message: words(answer) };
    case "choose":
    case "other":
    case "answer":
      return { type: "answers", answers: answersOf(decision, answer), message: answer.message };
    case "accept":
      return { type: "accept", mode: action.mode, message: words(answer) };
    case "revise":
      return { type: "revise", message: words(answer) ?? "Please revise the plan." };
    case "keys":
      return { type: "keys", keys: action.keys, label: answer.labels[0] ?? "" };
  }
}

export function replyWords(decision: Decision, action: DialogAction, answer: Answer): string {
  const tool = decision.action?.tool ?? "the tool";
  switch (action.type) {
    case "approve":
      return `Your request to use ${tool} was approved${said(answer)} Please go on.`;
    case "deny":
      return `Your request to use ${tool} was denied${said(answer)}`;
    case "choose":
    case "other":
    case "answer": {
      const text = answersOf(decision, answer)
        .map((it) => `${it.question}\n→ ${[...it.labels, ...(it.text ? [it.text] : [])].join(", ")}`)
        .join("\n\n");
      return `The answer to what you asked:\n\n${text}${answer.message ? `\n\n${answer.message}` : ""}`;
    }
    case "accept":
      return `Your plan was accepted${said(answer)} Please build it.`;
    case "revise":
      return `Please revise your plan${said(answer)}`;
    case "keys":
      return answer.labels[0] ?? "";
  }
}

/** What somebody said with it, if anything. */
export function words(answer: Answer): string | null {
  return answer.message ?? answer.text;
}

function said(answer: Answer): string {
  const text = words(answer);
  return text === null ? "." : `: ${text}`;
}

function answersOf(decision: Decision, answer: Answer): QuestionAnswer[] {
  return decision.questions.map((question, index) => {
    const numbers = answer.choices[index] ?? [];
    const labels = numbers.flatMap((it) => question.options[it - 1]?.label ?? []);
    const free = numbers.some((it) => it > question.options.length) || numbers.length === 0;
    const text = answer.texts?.[index] ?? answer.text ?? answer.message;
    return { question: question.question, labels, text: free ? text : null };
  });
}
