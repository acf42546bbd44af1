/** The next key towards an answer, by what the screen shows: options are found by their labels, never by a number known beforehand. */
import type { Prompt, QuestionAnswer, Reply } from "../core/agent-types.ts";
import { lookAt } from "./claude-screen.ts";
import type { KeyStep } from "./client.ts";

type Dialog = Extract<ReturnType<typeof lookAt>, { state: "dialog" }>;

export function nextKey(prompt: Prompt, reply: Reply, screen: string, done: readonly KeyStep[]): KeyStep {
  const look = lookAt(screen);
  if (look.state !== "dialog") return done.length > 0 ? { type: "done" } : { type: "wait" };
  if (reply.type === "answers") return answerKey(look, reply.answers, screen, done);
  const typed = done.some((it) => it.type === "type");
  switch (reply.type) {
    case "approve":
      return pick(look, /^Yes(?!.*(always|auto|don't ask|switch|accept))/i, "Yes");
    case "deny":
      if (reply.message === null) return pick(look, /^No/i, "No");
      if (typed) return { type: "press", keys: ["Enter"] };
      return (
        toLabel(look, /^No/i, done) ??
        (done.at(-1)?.type === "press" && isKey(done, "Tab")
          ? { type: "type", text: oneLine(reply.message) }
          : { type: "press", keys: ["Tab"] })
      );
    case "accept": {
      const wanted = {
        clear: /clear context/i,
        auto: /^Yes, and (?!.*clear)(use auto|auto-accept|switch)/i,
        manual: /manually approve/i,
      }[reply.mode];
      return pick(look, wanted, reply.mode);
    }
    case "revise":
      if (typed) return { type: "press", keys: ["Enter"] };
      if (done.length > 0) return { type: "type", text: oneLine(reply.message) };
      return pick(look, /Tell Claude|keep planning|^No/i, "what to change");
    case "keys":
      return done.length === 0 ? { type: "press", keys: reply.keys.split(" ") } : { type: "done" };
  }
}

function pick({ options }: Dialog, label: RegExp, what: string): KeyStep {
  const option = options.find((it) => label.test(it.label));
  if (!option) return { type: "give-up", reason: `the dialog on the screen offers no "${what}"` };
  return { type: "press", keys: [String(option.number)] };
}

/** Moves the cursor; null when it is there. */
function toLabel({ options }: Dialog, label: RegExp, done: readonly KeyStep[]): KeyStep | null {
  if (isKey(done, "Tab")) return null;
  const target = options.findIndex((it) => label.test(it.label));
  const now = options.findIndex((it) => it.selected);
  if (target < 0) return { type: "give-up", reason: "the dialog on the screen offers no such option" };
  if (now === target) return null;
  return { type: "press", keys: [now < target ? "Down" : "Up"] };
}

/** Question by question: digits choose, and what is on the screen tells which question it is. */
function answerKey(
  look: Dialog,
  answers: readonly QuestionAnswer[],
  screen: string,
  done: readonly KeyStep[],
): KeyStep {
  const labels = look.options.map((it) => it.label);
  if (
    labels.some((it) => /^Submit( answers)?$/i.test(it)) &&
    !labels.some((it) => /Type something/i.test(it))
  )
    return pick(look, /^Submit/i, "Submit");
  const answer = answers.find(
    (it) =>
      screen.includes(it.question.slice(0, 40)) &&
      (it.labels.length === 0 ||
        it.labels.every((one) => labels.some((label) => label.startsWith(one.slice(0, 30))))),
  );
  if (!answer) return { type: "wait" };
  if (answer.text !== null) {
    if (done.at(-1)?.type === "type") return { type: "press", keys: ["Enter"] };
    const free = look.options.find((it) => /Type something/i.test(it.label));
    if (free && !free.selected) return { type: "press", keys: [String(free.number)] };
    return { type: "type", text: oneLine(answer.text) };
  }
  if (!/[☐☑☒✔]|\[[ x✔]\]/.test(screen))
    return pick(look, starts(answer.labels[0] ?? ""), answer.labels[0] ?? "");
  const next = answer.labels.find((label) => !isTicked(screen, label));
  return next === undefined ? { type: "press", keys: ["Right"] } : pick(look, starts(next), next);
}

function starts(label: string): RegExp {
  return new RegExp(`^${label.slice(0, 30).replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`);
}

function isTicked(screen: string, label: string): boolean {
  return screen.split("\n").some((line) => line.includes(label) && /[☑☒✔]|\[[x✔]\]/.test(line));
}

function isKey(done: readonly KeyStep[], key: string): boolean {
  return done.some((it) => it.type === "press" && it.keys.includes(key));
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, " ").trim();
}
