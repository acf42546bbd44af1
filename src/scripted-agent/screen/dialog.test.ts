import assert from "node:assert/strict";
import { stripVTControlCharacters } from "node:util";
import { describe, it } from "vitest";
import type { Dialog, Outcome } from "./dialog.ts";
import { press } from "./dialog.ts";
import { viewDialog } from "./dialog-view.ts";
import type { Key, NamedKey } from "./keys.ts";
import { approvalDialog, planDialog, questionDialog, trustDialog } from "./make-dialog.ts";

const NAMES: Record<string, NamedKey> = {
  Up: "up",
  Down: "down",
  Left: "left",
  Right: "right",
  Enter: "enter",
  Tab: "tab",
  BTab: "back-tab",
  Esc: "escape",
  Cu: "ctrl-u",
  Back: "backspace",
};

/** Words are names of keys, digits, or `"pasted text"`. */
function keysOf(words: string): Key[] {
  return [...words.matchAll(/"([^"]*)"|\S+/g)].flatMap(([word, pasted]): Key[] => {
    if (pasted !== undefined) return [{ type: "paste", text: pasted }];
    const name = NAMES[word];
    return name ? [{ type: name }] : [...word].map((char) => ({ type: "char", char }));
  });
}

function play(dialog: Dialog, words: string): Outcome | Dialog {
  let now = dialog;
  for (const key of keysOf(words)) {
    const pressed = press(now, key);
    if ("outcome" in pressed) return pressed.outcome;
    now = pressed.dialog;
  }
  return now;
}

const shown = (dialog: Outcome | Dialog, columns = 100, rows = 40) =>
  stripVTControlCharacters(viewDialog(dialog as Dialog, { columns, rows }).join("\n"));

const cwd = "/work";
const bash = approvalDialog(
  "Bash",
  { command: "make\nmake install", description: "Build" },
  { cwd, forced: false },
);
const one = {
  question: "Which?",
  header: "One",
  multiSelect: false,
  options: [
    { label: "A", description: "first" },
    { label: "B", description: "" },
  ],
};
const many = {
  question: "What?",
  header: "Many",
  multiSelect: true,
  options: [
    { label: "X", description: "" },
    { label: "Y", description: "" },
    { label: "Z", description: "" },
  ],
};

describe("an approval", () => {
  it("takes digits, the cursor with Enter, and Escape", () => {
    assert.deepEqual(play(bash, "1"), { type: "yes", grant: "once", remark: null });
    assert.deepEqual(play(bash, "2"), { type: "yes", grant: "always", remark: null });
    assert.deepEqual(play(bash, "3"), { type: "yes", grant: "auto", remark: null });
    assert.deepEqual(play(bash, "4"), { type: "no", message: null });
    assert.deepEqual(play(bash, "Down Enter"), { type: "yes", grant: "always", remark: null });
    assert.deepEqual(play(bash, "Up Enter"), { type: "no", message: null });
    assert.deepEqual(play(bash, "Esc"), { type: "escape" });
    assert.equal(play(bash, "9 x"), bash);
  });

  it("takes a message beside Yes and No, and nowhere else", () => {
    assert.deepEqual(play(bash, 'Tab "and then test" Enter'), {
      type: "yes",
      grant: "once",
      remark: "and then test",
    });
    assert.deepEqual(play(bash, 'Up Tab "use 4 cores" Enter'), { type: "no", message: "use 4 cores" });
    assert.deepEqual(play(bash, "Up Tab 4 Enter"), { type: "no", message: "4" });
    assert.deepEqual(play(bash, "Up Tab Enter"), { type: "no", message: null });
    assert.deepEqual(play(bash, 'Up Tab "x" Cu "y" Back "z" Enter'), { type: "no", message: "z" });
    assert.equal((play(bash, "Down Tab") as { amending: boolean }).amending, false);
    assert.deepEqual(play(bash, 'Up Tab "no" Down 1'), { type: "yes", grant: "once", remark: null });
  });

  it("looks like the real one", () => {
    assert.match(
      shown(bash, 70),
      /^─{70}\n Bash command\n Build\n╌{70}\n make\n make install\n╌{70}\n Do you want to proceed\?\n ❯ 1\. Yes\n {3}2\. Yes, and always allow access to \/work from this project\n {3}3\. Yes, and switch to auto mode · auto mode handles these prompts\n {6}for you\n {3}4\. No\n\n Esc to cancel · Tab to amend$/,
    );
    assert.match(
      shown(play(bash, "Up Tab")),
      / ❯ 4\. No, and tell Claude what to do differently\n\n Esc to cancel$/,
    );
    assert.match(shown(play(bash, 'Up Tab "why"')), / ❯ 4\. No, why\n/);
  });

  it("has different options for files, and only two if a hook wants it asked", () => {
    const edit = approvalDialog(
      "Edit",
      { file_path: "/a/b.ts", old_string: "one", new_string: "two" },
      { cwd, forced: false },
    );
    assert.deepEqual(
      edit.options.map((it) => it.grants),
      ["once", "edits", "no"],
    );
    assert.match(
      shown(edit),
      / Edit file\n b\.ts\n╌+\n {2}1 -one\n {2}1 \+two\n╌+\n Do you want to make this edit to b\.ts\?/,
    );
    const forced = approvalDialog("Bash", { command: "x" }, { cwd, forced: true });
    assert.deepEqual(
      forced.options.map((it) => it.label),
      ["Yes", "No"],
    );
  });
});

describe("a question", () => {
  const alone = questionDialog([one]);

  it("with one choice is sent at once", () => {
    assert.deepEqual(play(alone, "2"), { type: "answers", answers: { "Which?": "B" }, free: false });
    assert.deepEqual(play(alone, "Down Enter"), { type: "answers", answers: { "Which?": "B" }, free: false });
    assert.deepEqual(play(alone, "4"), { type: "chat" });
  });

  it("takes free text, digits included", () => {
    assert.deepEqual(play(alone, '3 "C, version" 2 Enter'), {
      type: "answers",
      answers: { "Which?": "C, version2" },
      free: true,
    });
    assert.deepEqual(play(alone, 'Down Down "C" Enter'), {
      type: "answers",
      answers: { "Which?": "C" },
      free: true,
    });
    assert.match(shown(play(alone, "3")), /❯ 3\. Type something\.\n/);
    assert.match(shown(play(alone, '3 Enter Enter "C"')), /❯ 3\. C\n/);
  });

  it("with several choices is reviewed before it is sent", () => {
    const dialog = questionDialog([many]);
    assert.match(
      shown(play(dialog, "1 3")),
      /1\. \[✔\] X\n {2}2\. \[ \] Y\n {2}3\. \[✔\] Z\n {2}4\. \[ \] Type something\n {5}Submit\n/,
    );
    assert.match(shown(play(dialog, "1 3 Right")), /Review your answers\n\n ● What\?\n {3}→ X, Z\n/);
    assert.deepEqual(play(dialog, "3 1 Right 1"), {
      type: "answers",
      answers: { "What?": "X, Z" },
      free: false,
    });
    assert.deepEqual(play(dialog, "1 1 Right Enter"), { type: "answers", answers: {}, free: false });
    assert.deepEqual(play(dialog, "1 Right Left 2 Right 1"), {
      type: "answers",
      answers: { "What?": "X, Y" },
      free: false,
    });
    assert.deepEqual(play(dialog, "1 Right 2"), { type: "escape" });
    assert.deepEqual(play(dialog, "5"), { type: "chat" });
  });

  it("with several choices takes text when the cursor is on that row, while its digit only ticks it", () => {
    const dialog = questionDialog([many]);
    assert.deepEqual(play(dialog, '2 Down Down Down "W" Tab Enter Enter'), {
      type: "answers",
      answers: { "What?": "Y, W" },
      free: true,
    });
    assert.match(shown(play(dialog, '4 "W"')), /4\. \[✔\] Type something\n/);
    assert.match(shown(play(dialog, 'Up Up Up "W" Right')), /What\?/); // Right moves within the text
  });

  it("among others is a tab, and an unanswered one is missing from the result", () => {
    const dialog = questionDialog([one, many]);
    assert.match(shown(play(dialog, "1")), /← {2}☒ One {2}☐ Many {2}✔ Submit {2}→\n\nWhat\?/);
    assert.match(shown(play(dialog, "1 Left")), /❯ 1\. A ✔\n/);
    assert.match(shown(play(dialog, "Right 2")), / {5}Submit\n/);
    assert.match(shown(questionDialog([many, one])), / {5}Next\n/);
    assert.match(shown(play(dialog, "1 Right")), /⚠ You have not answered all questions\n/);
    assert.deepEqual(play(dialog, "1 Right 1"), { type: "answers", answers: { "Which?": "A" }, free: false });
    assert.deepEqual(play(dialog, "1 Left 2 2 Right 1"), {
      type: "answers",
      answers: { "Which?": "B", "What?": "Y" },
      free: false,
    });
  });
});

describe("a plan", () => {
  const dialog = planDialog("# Plan\n\nDo it", "/p.md", true);

  it("is accepted in three ways, or sent back with a message", () => {
    assert.deepEqual(play(dialog, "1"), { type: "accept", mode: "clear", remark: null });
    assert.deepEqual(play(dialog, "2"), { type: "accept", mode: "auto", remark: null });
    assert.deepEqual(play(dialog, "3"), { type: "accept", mode: "manual", remark: null });
    assert.deepEqual(play(dialog, '4 "Add tests" Enter'), { type: "revise", message: "Add tests" });
    assert.deepEqual(play(dialog, '4 4 "Add" Enter'), { type: "revise", message: "4Add" });
    assert.deepEqual(play(dialog, '4 "and docs" BTab'), {
      type: "accept",
      mode: "manual",
      remark: "and docs",
    });
    assert.equal((play(dialog, "4 Enter") as { type: string }).type, "plan");
    assert.deepEqual(play(planDialog("x", "/p.md", false), "1"), {
      type: "accept",
      mode: "auto",
      remark: null,
    });
  });

  it("shows its beginning if it is long", () => {
    const long = planDialog(Array.from({ length: 90 }, (_, n) => `line ${n}`).join("\n"), "/p.md", true);
    const lines = shown(long, 80, 22).split("\n");
    assert.ok(lines.length <= 22, `${lines.length} lines`);
    assert.ok(lines.includes("   line 0"));
    assert.ok(lines.some((line) => line.endsWith("↓")));
  });
});

describe("the trust question", () => {
  it("starts on No", () => {
    assert.deepEqual(play(trustDialog("/work"), "Enter"), { type: "escape" });
    assert.deepEqual(play(trustDialog("/work"), "Down Enter"), { type: "trust" });
    assert.deepEqual(play(trustDialog("/work"), "Up Enter"), { type: "trust" });
    assert.match(shown(trustDialog("/work")), / ❯ No, exit\n {3}Yes, I trust this folder\n/);
  });
});
