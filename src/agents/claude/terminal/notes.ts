/** What was said along with the answers to questions but is not an answer itself. */
import type { QuestionAnswer, Reply } from "../../../core/model/agent-types.ts";

type Answers = Extract<Reply, { type: "answers" }>;

/** The message is for all questions. It goes with the first, unless it is itself an answer. */
export function notesTo(answer: QuestionAnswer, { answers, message }: Answers): string | null {
  const isUsed = answers.some((it) => it.text === message);
  const said = [answer.note ?? null, answers[0] === answer && !isUsed ? message : null];
  const notes = said.filter((it) => it !== null && it.trim() !== "");
  return notes.length > 0 ? notes.join("\n\n") : null;
}
