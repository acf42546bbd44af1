/**
 * The next key towards an answer. Everything is read from the screen, nothing from what was pressed before: a key that
 * was lost is simply due again, and one that took effect late is noticed. Options are found by their words, never by a
 * number known beforehand.
 */
import type { Prompt, QuestionAnswer, Reply } from "../../../core/model/agent-types.ts";
import type { Question } from "../../../core/model/decision-types.ts";
import type { KeyStep } from "../../client.ts";
import { letters, squashed } from "../../drawn-text.ts";
import { guarded } from "../../guarded-words.ts";
import { DENIED } from "../../hook-output.ts";
import type { ShownDialog } from "./dialog.ts";
import { notesTo } from "./notes.ts";
import { aboveFooter, BARE_NO, composerOn, dialogOn } from "./screen.ts";
import { isOffered, isShown, shownQuestion } from "./shown.ts";

export function nextKey(prompt: Prompt, reply: Reply, screen: string, done: readonly KeyStep[]): KeyStep {
  const dialog = dialogOn(screen);
  if (reply.type === "keys") return choose(prompt, reply.label, dialog, done);
  if (!dialog && isCovered(screen))
    return endsWith(screen, wordsOf(reply)) ? send("Enter") : { type: "wait" };
  // the dialog is gone, or it is another one: our reply went in, or somebody else gave theirs
  if (!dialog || !isShown(prompt, dialog, wordsOf(reply))) {
    if (done.length === 0) return { type: "wait" };
    return (reply.type === "deny" ? reasonAfterNo(screen, wordsOf(reply)) : null) ?? { type: "done" };
  }
  switch (reply.type) {
    case "approve":
      if (reply.edit) return { type: "give-up", reason: "keys can't change what will run" };
      // a message goes with the tool's result, if a hook can carry it
      return withWords(dialog, /^Yes$/, /^Yes, /, reply.typed ? wordsOf(reply) : null);
    case "deny":
      return withWords(dialog, /^No$/, /^No, /, wordsOf(reply)); // a bare No would end the turn
    case "accept":
      if (reply.edit) return { type: "give-up", reason: "keys can't change the plan" };
      return accept(dialog, reply.mode);
    case "revise":
      return write(dialog, dialog.options.length - 1, wordsOf(reply), () => send("Enter"));
    case "answers":
      return dialog.kind === "review" ? review(prompt, dialog, reply) : answerShown(prompt, dialog, reply);
  }
}

/**
 * Chooses one of the options as they are. Without numbers, the cursor walks there; if a key is lost, we see that it did
 * not move.
 */
function choose(
  prompt: Prompt,
  label: string,
  dialog: ShownDialog | null,
  done: readonly KeyStep[],
): KeyStep {
  if (!dialog || !isOffered(prompt, dialog)) return { type: done.length === 0 ? "wait" : "done" };
  const at = dialog.options.findIndex((it) => it.label === label);
  const option = dialog.options[at];
  if (!option) return { type: "give-up", reason: `the dialog on the screen has no option "${label}"` };
  const isSent = option.number === null || done.length > 0;
  if (option.selected && isSent) return send("Enter");
  if (option.number === null) return step(dialog, at);
  const isMenu = dialog.kind === "trust" || dialog.kind === "other"; // there a digit only moves the cursor
  return isMenu ? press(String(option.number)) : send(String(option.number));
}

/** There is a dialog, but its options are above the screen. */
function isCovered(screen: string): boolean {
  return aboveFooter(screen) !== null;
}

const LAST_LINES = 5;

/** Whether there are so many words that nothing else of the dialog is left. */
function endsWith(screen: string, words: string): boolean {
  const end = squashed((aboveFooter(screen) ?? []).slice(-LAST_LINES).join("\n"));
  return end !== "" && squashed(words).endsWith(end);
}

/** The words that are written into the dialog on the way. */
function wordsOf(reply: Reply): string {
  if (reply.type === "deny") return oneLine(reply.message ?? DENIED);
  if (reply.type === "approve" && reply.typed) return oneLine(reply.message ?? "");
  return reply.type === "revise" ? oneLine(reply.message) : "";
}

/** Some dialogs take only a bare No, which ends the turn. The client then waits to be told what to do instead. */
function reasonAfterNo(screen: string, words: string): KeyStep | null {
  const shown = composerOn(screen);
  const last = shown?.above.findLast((line) => /\S/.test(line) && !/^✻ |\/effort\s*$/.test(line)) ?? "";
  if (!shown || !last.includes("What should Claude do instead?")) return null;
  if (shown.text === "") return { type: "type", text: guarded(words) };
  return press(squashed(shown.text) === squashed(guarded(words)) ? "Enter" : "C-u");
}

/** Yes and No take words after Tab; without words the digit is enough. */
function withWords(dialog: ShownDialog, plain: RegExp, written: RegExp, message: string | null): KeyStep {
  const bare = dialog.options.find((it) => written.test(it.label) && BARE_NO.test(it.label));
  if (bare) return send(String(bare.number));
  const at = dialog.options.findIndex((it) => plain.test(it.label));
  const wording = dialog.options.findIndex((it) => dialog.amending && it.selected && written.test(it.label));
  const target = at >= 0 ? at : wording;
  const option = dialog.options[target];
  if (!option) return { type: "give-up", reason: "the dialog on the screen offers no such option" };
  const words = message === null ? "" : oneLine(message);
  if (words === "") {
    if (dialog.amending) return press(target === 0 ? "Down" : "Up");
    return send(String(option.number));
  }
  if (!option.selected) return step(dialog, target);
  if (!dialog.amending) return press("Tab");
  const shown = option.text.replace(/^(Yes|No), ?/, "");
  return typed(dialog, /^and tell Claude/i.test(shown) ? "" : shown, words, () => send("Enter"));
}

function accept(dialog: ShownDialog, mode: "clear" | "auto" | "manual"): KeyStep {
  const wanted = {
    clear: /^Yes, clear context/i,
    auto: /^Yes, (and )?(use auto|auto-accept|bypass)/i,
    manual: /manually approve/i,
  }[mode];
  const option = dialog.options.find((it) => wanted.test(it.label));
  if (!option)
    return { type: "give-up", reason: `the plan on the screen can't be accepted this way (${mode})` };
  return dialog.amending ? press("Up") : send(String(option.number));
}

type Answers = Extract<Reply, { type: "answers" }>;

function answerShown(prompt: Prompt, shown: ShownDialog, reply: Answers): KeyStep {
  const question = prompt.questions[shownQuestion(prompt, shown)];
  if (!question) return { type: "wait" };
  const dialog = question.closed ? { ...shown, amending: false } : shown; // no row of it takes words
  const { picked, words, unknown } = wishFor(question, reply);
  if (unknown !== null)
    return { type: "give-up", reason: `the question on the screen has no option "${unknown}"` };
  const own = question.options.length;
  if (question.multi_select) return several(dialog, picked, own, words);
  const answered = prompt.questions.length === 1 ? send : press; // several end with a page that shows all answers
  if (words !== "") return write(dialog, own, words, () => answered("Enter"));
  if (dialog.amending) return press("Up");
  const [only] = picked;
  return only === undefined ? press("Right") : answered(String(only + 1));
}

/** Boxes first, then the person's own words, then the next page. */
function several(dialog: ShownDialog, picked: number[], own: number, words: string): KeyStep {
  const wrong = dialog.options.findIndex(
    (it, n) => n < own && it.ticked !== null && it.ticked !== picked.includes(n),
  );
  if (wrong >= 0) return dialog.amending ? press("Up") : press(String(wrong + 1));
  const row = dialog.options[own];
  if (words === "") {
    if (row?.ticked) return dialog.amending ? press("Up") : press(String(own + 1));
    if (dialog.next?.selected) return press("Enter");
    return dialog.amending ? press("Tab") : press("Right");
  }
  const isWritten = row !== undefined && squashed(row.text) === squashed(words);
  if (isWritten && !row.ticked) return dialog.amending ? press("Up") : press(String(own + 1));
  if (isWritten && dialog.next?.selected) return press("Enter");
  if (isWritten && !row.selected) return press("Right");
  return write(dialog, own, words, () => press("Tab"), "walk");
}

/** What the answer means for this question: the numbers of its options, and the person's own words. */
function wishFor(
  question: Question,
  reply: Answers,
): { picked: number[]; words: string; unknown: string | null } {
  const answer = reply.answers.find((it) => it.question === question.question);
  const labels = question.options.map((it) => it.label);
  const picked = (answer?.labels ?? []).map((it) => labels.indexOf(it)).toSorted((a, b) => a - b);
  const unknown = (answer?.labels ?? []).find((it) => !labels.includes(it)) ?? null;
  const words = answer ? wordsFor(question, answer, notesTo(answer, reply)) : "";
  return { picked: words !== "" && !question.multi_select ? [] : picked, unknown, words };
}

/** A note has no key of its own, so it goes in with the person's own words. */
function wordsFor(question: Question, answer: QuestionAnswer, note: string | null): string {
  const own = [answer.text, note].filter((it) => it !== null && it.trim() !== "");
  if (own.length === 0) return "";
  const chosen = question.multi_select ? [] : answer.labels;
  return oneLine([...chosen, ...own].join(" · "));
}

/** Sends nothing until the page that shows all answers shows the right ones. */
function review(prompt: Prompt, dialog: ShownDialog, reply: Answers): KeyStep {
  const { entries, isWhole } = reviewed(dialog);
  const wrong = prompt.questions.findIndex((question) => {
    const shown = entries.find((it) => letters(it.question) === letters(question.question));
    return shown ? !isAnswer(shown.answer, question, reply) : isWhole && !isAnswer("", question, reply);
  });
  if (wrong < 0) return send(String(dialog.options.find((it) => /^Submit/.test(it.label))?.number ?? 1));
  return press(...Array.from({ length: prompt.questions.length - wrong }, () => "Left"));
}

function isAnswer(shown: string, question: Question, reply: Answers): boolean {
  const { picked, words } = wishFor(question, reply);
  const parts = [...picked.map((n) => question.options[n]?.label ?? ""), words].map(letters);
  const answer = letters(shown);
  return answer.length === parts.join("").length && parts.every((it) => answer.includes(it));
}

interface Entry {
  question: string;
  answer: string;
}

/**
 * Each question comes after a dot, its answer after an arrow; both may take several lines. The top may be above the
 * screen.
 */
function reviewed({ body }: ShownDialog): { entries: Entry[]; isWhole: boolean } {
  const entries: Entry[] = [];
  let part: keyof Entry = "question";
  for (const line of body.slice(body.findIndex((it) => it.startsWith("Review your answers")) + 1)) {
    const [, beside = "", sign = "", rest = ""] = /^\s*(│?)\s*([●→⚠]?)(.*)$/.exec(line) ?? [];
    const mark = beside !== "" && sign === "→" ? "" : sign; // an arrow within a wrapped question
    if (mark === "●") entries.push({ question: "", answer: "" });
    if (mark === "●" || mark === "→") part = mark === "●" ? "question" : "answer";
    const last = entries.at(-1);
    if (last && mark !== "⚠" && !rest.startsWith("Ready to submit")) last[part] += ` ${rest}`;
  }
  return { entries, isWhole: body.some((it) => it.startsWith("Review your answers")) };
}

/** Goes to the row for words, writes them, and sends them off. */
function write(
  dialog: ShownDialog,
  row: number,
  words: string,
  send: () => KeyStep,
  how: "jump" | "walk" = "jump",
): KeyStep {
  const option = dialog.options[row];
  if (!option) return { type: "give-up", reason: "the dialog on the screen takes no text" };
  if (!option.selected) return how === "jump" ? press(String(option.number)) : step(dialog, row);
  const isEmpty = /^(Type something\.?|Tell Claude what to change)$/.test(option.label);
  return typed(dialog, isEmpty ? "" : option.text, words, send);
}

function typed({ clipped }: ShownDialog, shown: string, words: string, send: () => KeyStep): KeyStep {
  const [there, wanted] = [squashed(shown), squashed(words)];
  if (there === "" && wanted !== "") return { type: "type", text: words };
  if (there === wanted || (clipped && wanted.startsWith(there))) return send();
  return press("C-u"); // somebody else's words, or half of ours
}

/** One row towards the target. */
function step({ options, next }: ShownDialog, target: number): KeyStep {
  const now = options.findIndex((it) => it.selected);
  if (now < 0) return press(next?.selected ? "Up" : "Down");
  return press(now < target ? "Down" : "Up");
}

function press(...keys: string[]): KeyStep {
  return { type: "press", keys };
}

function send(key: string): KeyStep {
  return { type: "press", keys: [key], sends: true };
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, " ").trim();
}
