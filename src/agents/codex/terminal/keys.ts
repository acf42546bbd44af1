/**
 * The next key towards an answer. Everything is read from the screen: a key that was lost is simply due again. Options
 * are found by their words, never by a number known beforehand.
 */
import type { Prompt, QuestionAnswer, Reply } from "../../../core/model/agent-types.ts";
import type { KeyStep } from "../../client.ts";
import { squashed } from "../../drawn-text.ts";
import { DENIED } from "../../hook-output.ts";
import type { ShownDialog } from "./screen.ts";
import { composerOn, dialogOn } from "./screen.ts";
import { isShown, shownQuestion } from "./shown.ts";
import { guarded } from "./words.ts";

export function nextKey(prompt: Prompt, reply: Reply, screen: string, done: readonly KeyStep[]): KeyStep {
  const dialog = dialogOn(screen);
  // the dialog is gone, or it is another one: our reply went in, or somebody else gave theirs
  if (!dialog || !isShown(prompt, dialog)) {
    if (done.length === 0) return { type: "wait" };
    return reply.type === "deny" && !dialog ? reasonAfterNo(screen, reply.message, done) : { type: "done" };
  }
  switch (reply.type) {
    case "keys":
      return choose(dialog, reply.label);
    case "approve":
      if (reply.edit) return { type: "give-up", reason: "keys can't change what will run" };
      return option(dialog, (label) => /^Yes, proceed$/.test(label));
    case "deny":
      return option(dialog, (label) => /^No, and tell Codex/.test(label));
    case "answers":
      return answerShown(prompt, dialog, reply);
    default:
      return { type: "give-up", reason: "the dialog on the screen does not take this answer" };
  }
}

function option(dialog: ShownDialog, isIt: (label: string) => boolean): KeyStep {
  const found = dialog.options.find((it) => isIt(it.label));
  if (!found) return { type: "give-up", reason: "the dialog on the screen offers no such option" };
  const isMenu = dialog.kind === "trust" || dialog.kind === "other"; // there a digit only moves the cursor
  return isMenu ? press(String(found.number)) : send(String(found.number));
}

/** In what the client asks as it starts, a digit only moves the cursor. */
function choose(dialog: ShownDialog, label: string): KeyStep {
  const isSelected = dialog.options.some((it) => it.selected && it.label === label);
  return isSelected ? send("Enter") : option(dialog, (it) => it === label);
}

/** A No ends the turn, which takes a moment. The client then waits to be told what to do instead. */
function reasonAfterNo(screen: string, message: string | null, done: readonly KeyStep[]): KeyStep {
  const composer = composerOn(screen);
  if (!composer) return { type: "wait" };
  const last = composer.above.findLast((line) => /\S/.test(line)) ?? "";
  if (!/^■ Conversation interrupted/.test(last))
    return { type: done.some((it) => it.type === "type") ? "done" : "wait" };
  const words = guarded(message ?? DENIED);
  if (composer.text === "") return { type: "type", text: words };
  return press(squashed(composer.text) === squashed(words) ? "Enter" : "C-u");
}

type Answers = Extract<Reply, { type: "answers" }>;

/** A digit answers and goes to the next question. With a note, the option is chosen first, and Enter answers. */
function answerShown(prompt: Prompt, dialog: ShownDialog, reply: Answers): KeyStep {
  const at = shownQuestion(prompt, dialog);
  const question = prompt.questions[at];
  const answered = at === prompt.questions.length - 1 ? send : press;
  const answer = reply.answers.find((it) => it.question === question?.question);
  if (!question || !answer)
    return { type: "give-up", reason: "there is no answer to the question on the screen" };
  const labels = question.options.map((it) => it.label);
  const [label] = answer.labels;
  const target = label === undefined ? labels.length : labels.indexOf(label);
  if (target < 0) return { type: "give-up", reason: `the question on the screen has no option "${label}"` };
  const words = notesTo(answer, reply);
  if (words === "") return dialog.note === null ? answered(String(target + 1)) : press("Tab"); // Tab clears a note
  const now = dialog.options.findIndex((it) => it.selected);
  if (now !== target) return dialog.note === null ? press(now < target ? "Down" : "Up") : press("Tab");
  if (dialog.note === null) return press("Tab");
  if (EMPTY.test(dialog.note)) return { type: "type", text: words };
  return squashed(dialog.note) === squashed(words) ? answered("Enter") : press("Tab");
}

const EMPTY = /^(Add notes)?$/;

/** The message is for all questions. It goes with the first, unless it is itself an answer. */
function notesTo(answer: QuestionAnswer, { answers, message }: Answers): string {
  const isUsed = answers.some((it) => it.text === message);
  const said = [answer.text, answer.note ?? null, answers[0] === answer && !isUsed ? message : null];
  return said
    .filter((it) => it !== null && it.trim() !== "")
    .join(" · ")
    .replace(/\s*\n\s*/g, " ");
}

function press(...keys: string[]): KeyStep {
  return { type: "press", keys };
}

function send(key: string): KeyStep {
  return { type: "press", keys: [key], sends: true };
}
