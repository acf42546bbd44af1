/** A person's answer to a dialog: in the form that the dialog takes, and in words in case the dialog is gone. */
import type { QuestionAnswer, Reply, ReplyEdit } from "../model/agent-types.ts";
import type { AgentKind } from "../model/clients.ts";
import { PROGRAM } from "../model/clients.ts";
import type { Action, Answer, Decision } from "../model/decision-types.ts";
import { changedWords, changeWanted } from "./edit-words.ts";

const TYPES = ["approve", "deny", "choose", "other", "answer", "accept", "revise", "keys"] as const;
type DialogAction = Extract<Action, { type: (typeof TYPES)[number] }>;

export function isForDialog(action: Action): action is DialogAction {
  return TYPES.some((it) => it === action.type);
}

export function replyOf(decision: Decision, action: DialogAction, answer: Answer): Reply {
  switch (action.type) {
    case "approve":
      return { type: "approve", message: words(answer), ...editIn(decision, answer) };
    case "deny":
      return { type: "deny", message: words(answer) };
    case "choose":
    case "other":
    case "answer":
      return answersReply(decision, answer);
    case "accept":
      return { type: "accept", mode: action.mode, message: words(answer), ...editIn(decision, answer) };
    case "revise":
      return { type: "revise", message: words(answer) ?? "Please revise the plan." };
    case "keys":
      return { type: "keys", keys: action.keys, label: answer.labels[0] ?? "", message: words(answer) };
  }
}

/**
 * What was said with an answer, if the dialog has no place for it. The agent is told in words, once the dialog has the
 * answer.
 */
export function remarkOf(reply: Reply, kind: AgentKind): string | null {
  if (reply.type === "deny" || reply.type === "revise") return null;
  const message = (reply.type === "answers" ? reply.adds : reply.message) ?? null;
  const added = message === null || kind === PROGRAM ? message : `The user adds: ${message}`;
  const told = editOf(reply)?.told ?? null;
  return told === null || added === null ? (told ?? added) : `${told}\n\n${added}`;
}

/** What a person changed in the call, if anything. No key can press that. */
export function editOf(reply: Reply | null): ReplyEdit | null {
  return reply?.type === "approve" || reply?.type === "accept" ? (reply.edit ?? null) : null;
}

function editIn({ action }: Decision, { input }: Answer): { edit?: ReplyEdit } {
  return input ? { edit: { input, told: changedWords(action?.input, input) } } : {};
}

export function replyWords(decision: Decision, action: DialogAction, answer: Answer): string {
  const tool = decision.action?.tool ?? "the tool";
  switch (action.type) {
    case "approve":
      if (answer.input)
        return `Your request to use ${tool} was approved with a change${said(answer)}\n\n${changeWanted(decision.action?.input, answer.input)}`;
      return `Your request to use ${tool} was approved${said(answer)} Please continue.`;
    case "deny":
      return `Your request to use ${tool} was denied${said(answer)}`;
    case "choose":
    case "other":
    case "answer": {
      const text = answersOf(decision, answer)
        .map(
          (it) => `${it.question}\n→ ${[...it.labels, it.text, it.note].filter((part) => part).join(", ")}`,
        )
        .join("\n\n");
      const message = isOwnWords(decision, answer) ? null : answer.message;
      return `The answer to your question:\n\n${text}${message ? `\n\n${message}` : ""}`;
    }
    case "accept":
      if (answer.input)
        return `Your plan was accepted with a change${said(answer)}\n\n${changeWanted(decision.action?.input, answer.input)}`;
      return `Your plan was accepted${said(answer)} Please build it.`;
    case "revise":
      return `Please revise your plan${said(answer)}`;
    case "keys":
      return [answer.labels[0] ?? "", words(answer)].filter((it) => it).join("\n\n");
  }
}

/** What the person said with the answer, if anything: their own words, a message, or both. */
export function words({ text, message }: Answer): string | null {
  if (text === null || message === null || text === message) return message ?? text;
  return `${text}\n\n${message}`;
}

function said(answer: Answer): string {
  const text = words(answer);
  return text === null ? "." : `: ${text}`;
}

/** A form that takes nothing but its options has no place for what was said with them. */
function answersReply(decision: Decision, answer: Answer): Reply {
  const answers = answersOf(decision, answer);
  if (!decision.questions.some((it) => it.closed))
    return { type: "answers", answers, message: answer.message };
  const isUsed = answers.some((it) => it.text !== null && it.text === answer.message);
  const notes = [...answers.map((it) => it.note), isUsed ? null : answer.message].filter((it) => it);
  return {
    type: "answers",
    answers: answers.map(({ note: _, ...it }) => it),
    message: null,
    ...(notes.length > 0 ? { adds: notes.join("\n\n") } : {}),
  };
}

/** Words that no "Other" needs become a note on what was chosen. */
function answersOf(decision: Decision, answer: Answer): QuestionAnswer[] {
  const others = decision.questions.map((question, index) => isOwn(question, answer.choices[index] ?? []));
  return decision.questions.map((question, index) => {
    const numbers = answer.choices[index] ?? [];
    const labels = numbers.flatMap((it) => question.options[it - 1]?.label ?? []);
    const own = answer.texts?.[index] ?? null;
    if (others[index])
      return { question: question.question, labels, text: own ?? answer.text ?? answer.message };
    const unused = index === 0 && !others.includes(true) ? answer.text : null;
    const note = own ?? unused;
    return { question: question.question, labels, text: null, ...(note === null ? {} : { note }) };
  });
}

function isOwn({ options }: Decision["questions"][number], numbers: readonly number[]): boolean {
  return numbers.length === 0 || numbers.some((it) => it > options.length);
}

/** The message itself is the answer. */
function isOwnWords(decision: Decision, answer: Answer): boolean {
  return answersOf(decision, answer).some((it) => it.text !== null && it.text === answer.message);
}
