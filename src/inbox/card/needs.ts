/** Which answers need words, and where words alone are one. Every surface asks for them in its own way. */
import type { DecisionView, OptionView } from "../../api/api.ts";

/** The text that an option is nothing without: a free answer, or what to change or to say. */
export function wordsNeededBy(
  { key }: Pick<OptionView, "key">,
  { source }: Pick<DecisionView, "source">,
): "text" | "message" | null {
  if (source === "question" && key === "other") return "text";
  const isMessage = (source === "plan" && key === "revise") || (source === "idle" && key === "reply");
  return isMessage ? "message" : null;
}

/** Whether text alone is an answer. Only a choice says where a job goes, and whether a tool may be used. */
export function areWordsAnswer({ source, questions }: Pick<DecisionView, "source" | "questions">): boolean {
  return source !== "step" && source !== "approval" && questions.length <= 1 && !questions[0]?.closed;
}
