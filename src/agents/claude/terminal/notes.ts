/** What was said with the answers to questions and is no answer itself. */
import type { QuestionAnswer, Reply } from "../../../core/model/agent-types.ts";

type Answers = Extract<Reply, { type: "answers" }>;

/** The message stands for all of them, and goes with the first, unless it is the answer. */
export function notesTo(answer: QuestionAnswer, { answers, message }: Answers): string | null {
  const isUsed = answers.some((it) => it.text === message);
  const said = [answer.note ?? null, answers[0] === answer && !isUsed ? message : null];
  const notes = said.filter((it) => it !== null && it.trim() !== "");
  return notes.length > 0 ? notes.join("\n\n") : null;
}
