/** What the model is told after a dialog, word for word as Claude Code says it. Pure. */

import type { Question } from "../scenario/scenario.ts";
import type { Json } from "./json.ts";
import { isObject } from "./json.ts";

const REJECTED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file).";

export const CLARIFY =
  "The user wants to clarify these questions.\nThis means they may have additional information, context or questions for you.";

export function rejectedWith(message: string): string {
  return `${REJECTED} To tell you how to proceed, the user said:\n${message}`;
}

export function approvedText(plan: string, file: string, edited: boolean): string {
  const head = `## Approved Plan${edited ? " (edited by user)" : ""}:`;
  return `User has approved your plan. You can now start coding.\n\nYour plan has been saved to: ${file}\n\n${head}\n${plan}`;
}

export function answersText(
  questions: Question[],
  answers: Record<string, string>,
  annotations: Json,
): string {
  const given = questions.flatMap(({ question }) => {
    const answer = answers[question];
    if (answer === undefined) return [];
    const notes = notesOf(annotations[question]);
    return [`"${question}"="${answer}"${notes === null ? "" : ` notes: ${notes}`}`];
  });
  if (given.length === 0) return "The user did not answer the questions.";
  const isPlain =
    questions.every((it) => isOfOptions(it, answers[it.question])) &&
    Object.values(annotations).every((it) => notesOf(it) === null);
  if (isPlain)
    return `Your questions have been answered: ${given.join(", ")}. You can now continue with these answers in mind.`;
  return `The user answered: ${given.join(", ")}. Read the answers carefully — they may request clarification, changes, or that you not proceed — and go on accordingly.`;
}

function isOfOptions({ options, multiSelect }: Question, answer: string | undefined): boolean {
  if (answer === undefined) return true;
  const labels = options.map((it) => it.label);
  return labels.includes(answer) || (multiSelect && answer.split(", ").every((it) => labels.includes(it)));
}

function notesOf(annotation: unknown): string | null {
  return isObject(annotation) && typeof annotation.notes === "string" && annotation.notes !== ""
    ? annotation.notes
    : null;
}
