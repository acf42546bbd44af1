/** What is drawn can be read, and read by what presses the keys: every dialog, every answer, with keys lost on the way. */
import assert from "node:assert/strict";
import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { describe, it } from "vitest";
import { acp } from "../agents/acp/client.ts";
import type { KeyStep } from "../agents/client.ts";
import type { Prompt, QuestionAnswer, Reply } from "../core/model/agent-types.ts";
import type { Json } from "./hooks/json.ts";
import type { Question } from "./scenario/scenario.ts";
import type { Dialog, Outcome } from "./screen/dialog.ts";
import { press } from "./screen/dialog.ts";
import type { Size } from "./screen/dialog-view.ts";
import { viewDialog } from "./screen/dialog-view.ts";
import type { Key, NamedKey } from "./screen/keys.ts";
import { approvalDialog, planDialog, questionDialog } from "./screen/make-dialog.ts";

/** As the scripted agent, and with questions that take no own words. */
const client = acp;

const NAMES: Record<string, NamedKey> = {
  Up: "up",
  Down: "down",
  Left: "left",
  Right: "right",
  Enter: "enter",
  Tab: "tab",
  "C-u": "ctrl-u",
};

function keysOf(step: KeyStep): Key[] {
  if (step.type === "type") return [{ type: "paste", text: step.text }];
  assert.equal(step.type, "press", JSON.stringify(step));
  return (step as { keys: string[] }).keys.map((key) =>
    NAMES[key] ? { type: NAMES[key] } : { type: "char", char: key },
  );
}

function promptOf(tool_name: string, tool_input: Json): Prompt {
  const [seen] = client.read({ hook_event_name: "PermissionRequest", tool_name, tool_input })?.seen ?? [];
  return (seen as { prompt: Prompt }).prompt;
}

function screenOf(dialog: Dialog, size: Size): string {
  const lines = [
    "❯ Go on, please",
    "",
    "● Working",
    "",
    ...viewDialog(dialog, { ...size, rows: size.rows - 2 }),
  ];
  return stripVTControlCharacters(lines.slice(-size.rows + 1).join("\n"));
}

/** Until the dialog is answered; `lost` says of each key in turn whether it gets lost. */
function answer(dialog: Dialog, prompt: Prompt, reply: Reply, size: Size, lost: boolean[] = []): Outcome {
  let now = dialog;
  for (let n = 0; n < 60; n++) {
    const screen = screenOf(now, size);
    const step = client.keys(prompt, reply, screen, []);
    if (step.type !== "press" && step.type !== "type") assert.fail(`${JSON.stringify(step)}\n${screen}`);
    if (lost[n]) continue;
    for (const key of keysOf(step)) {
      const pressed = press(now, key);
      if ("outcome" in pressed) return pressed.outcome;
      now = pressed.dialog;
    }
  }
  return assert.fail(`no answer:\n${screenOf(now, size)}`);
}

const sizes = fc.constantFrom<Size>({ columns: 120, rows: 40 }, { columns: 80, rows: 24 });
const lost = fc.array(fc.boolean(), { maxLength: 10 });
const word = fc.constantFrom(
  "Postgres",
  "the",
  "1.",
  "42",
  "❯",
  "Yes",
  "No,",
  "[x]",
  "naïve",
  "日本",
  "a",
  "Submit",
  "→",
  "extraordinarily-long-word-of-its-kind",
  "|",
  "(why)",
);
const words = (min: number, max: number) =>
  fc.array(word, { minLength: min, maxLength: max }).map((it) => it.join(" "));
const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
const distinct = (text: string) => letters(text) || text;
const message = words(1, 120).filter((it) => letters(it) !== "");

const question = fc.record({
  question: words(2, 12).map((it) => `${it}?`),
  multiSelect: fc.boolean(),
  options: fc.uniqueArray(words(1, 8), { minLength: 2, maxLength: 4, selector: distinct }),
  description: words(0, 10),
  closed: fc.boolean(),
});

const asked = fc
  .uniqueArray(question, { minLength: 1, maxLength: 4, selector: (it) => distinct(it.question) })
  .map((list): Question[] =>
    list.map((it, n) => ({
      question: it.question,
      header: `Q${n}`,
      multiSelect: it.multiSelect,
      options: it.options.map((label) => ({ label, description: it.description })),
      ...(it.closed ? { closed: true } : {}),
    })),
  );

/** What a person may say to a question: some of its options, and own words that have letters. */
const wish = fc.record({
  picks: fc.array(fc.nat(3), { maxLength: 3 }),
  text: fc.option(
    words(1, 6).filter((it) => letters(it).length > 1),
    { freq: 3 },
  ),
});

function answerTo(it: Question, wished: { picks: number[]; text: string | null }): QuestionAnswer {
  const { picks } = wished;
  const text = it.closed ? null : wished.text;
  const chosen = [...new Set(picks.map((n) => n % it.options.length))].map((n) => it.options[n]?.label ?? "");
  const labels = it.multiSelect ? chosen : text === null ? chosen.slice(0, 1) : [];
  return { question: it.question, labels, text };
}

function expected(questions: Question[], answers: QuestionAnswer[]): Record<string, string> {
  return Object.fromEntries(
    questions.flatMap(({ question: asks, options }, n) => {
      const given = answers[n];
      const labels = options.map((it) => it.label).filter((it) => given?.labels.includes(it));
      const all = [...labels, ...(given?.text ? [given.text] : [])];
      return all.length === 0 ? [] : [[asks, all.join(", ")]];
    }),
  );
}

describe("keys", () => {
  it("give every question its answer", () => {
    fc.assert(
      fc.property(
        asked,
        fc.array(wish, { minLength: 4, maxLength: 4 }),
        sizes,
        lost,
        (questions, wishes, size, without) => {
          const answers = questions.map((it, n) => answerTo(it, wishes[n] ?? { picks: [0], text: null }));
          const wanted = expected(questions, answers);
          // one question with one choice can't be left out: it has no review
          fc.pre(
            questions.length > 1 || questions[0]?.multiSelect === true || Object.keys(wanted).length > 0,
          );
          // the options of a question must be on the screen
          const dialog = questionDialog(questions);
          fc.pre(questions.every((_, tab) => viewDialog({ ...dialog, tab }, size).length <= size.rows - 6));
          const outcome = answer(
            dialog,
            promptOf("AskUserQuestion", { questions }),
            { type: "answers", answers, message: null },
            size,
            without,
          );
          assert.deepEqual(outcome.type === "answers" && outcome.answers, wanted);
        },
      ),
      { numRuns: 200 },
    );
  });

  it("approve, and deny with any message", () => {
    const command = fc.array(words(1, 20), { minLength: 1, maxLength: 30 }).map((it) => it.join("\n"));
    fc.assert(
      fc.property(command, message, sizes, lost, (text, why, size, without) => {
        const input = { command: text, description: "Try it" };
        const dialog = approvalDialog("Bash", input, { cwd: "/work", forced: false });
        const prompt = promptOf("Bash", input);
        assert.deepEqual(answer(dialog, prompt, { type: "approve", message: null }, size, without), {
          type: "yes",
          grant: "once",
          remark: null,
        });
        assert.deepEqual(answer(dialog, prompt, { type: "deny", message: why }, size, without), {
          type: "no",
          message: why.trim(),
        });
      }),
      { numRuns: 100 },
    );
  });

  it("accept a plan in every way, and send it back with any message", () => {
    const text = fc.array(words(1, 20), { minLength: 1, maxLength: 60 }).map((it) => it.join("\n"));
    fc.assert(
      fc.property(text, message, sizes, lost, (plan, wanted, size, without) => {
        const dialog = planDialog(plan, "/plans/a.md", true);
        const prompt = promptOf("ExitPlanMode", { plan, planFilePath: "/plans/a.md" });
        for (const mode of ["clear", "auto", "manual"] as const)
          assert.deepEqual(answer(dialog, prompt, { type: "accept", mode, message: null }, size, without), {
            type: "accept",
            mode,
            remark: null,
          });
        assert.deepEqual(answer(dialog, prompt, { type: "revise", message: wanted }, size, without), {
          type: "revise",
          message: wanted.trim(),
        });
      }),
      { numRuns: 100 },
    );
  });
});
