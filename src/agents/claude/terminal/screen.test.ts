import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it } from "vitest";
import { lookAt } from "./screen.ts";

const FIXTURES = path.join(import.meta.dirname, "../../../../test/fixtures/claude-screens");
const screen = (name: string) => fs.readFileSync(path.join(FIXTURES, `${name}.txt`), "utf8");

/** The kind, the option under the cursor, and how many options there are. */
const DIALOGS: Record<string, [kind: string, selected: number, options: number]> = {
  "approval-bash": ["approval", 1, 4],
  "approval-bash-long": ["approval", 1, 4],
  "approval-bash-on-no": ["approval", 4, 4],
  "approval-bash-reason": ["approval", 4, 4],
  "approval-bash-reason-empty": ["approval", 4, 4],
  "approval-bash-redirect": ["approval", 1, 4],
  "approval-edit": ["approval", 1, 3],
  "approval-fetch": ["approval", 1, 3],
  "approval-one-of-two": ["approval", 1, 3],
  "approval-write": ["approval", 1, 3],
  "approval-write-long": ["approval", 1, 3],
  "menu-api-key": ["other", 2, 2],
  "menu-bypass": ["other", 1, 2],
  "menu-login": ["other", 1, 3],
  "menu-page": ["other", 1, 1],
  "menu-theme": ["other", 2, 7],
  "menu-theme-moved": ["other", 3, 7],
  plan: ["plan", 1, 4],
  "plan-words": ["plan", 4, 4],
  "plan-words-empty": ["plan", 4, 4],
  "question-multi": ["question", 1, 5],
  "question-multi-own": ["question", 4, 5],
  "question-multi-own-empty": ["question", 4, 5],
  "question-multi-review": ["question", 1, 2],
  "question-multi-submit": ["question", 0, 5],
  "question-multi-ticked": ["question", 1, 5],
  "question-one": ["question", 1, 4],
  "question-one-own": ["question", 3, 4],
  "question-one-own-empty": ["question", 3, 4],
  "question-two-first": ["question", 1, 4],
  "question-two-review": ["question", 1, 2],
  "question-two-second": ["question", 1, 5],
  trust: ["trust", 1, 2],
  "trust-on-yes": ["trust", 2, 2],
};
const OTHERS: Record<string, string> = {
  idle: "idle",
  "idle-after-error": "idle",
  "idle-at-start": "idle",
  "idle-in-plan-mode": "idle",
  working: "working",
  "working-behind": "working",
};

describe("a screen of the real Claude Code", () => {
  it.each(Object.entries(DIALOGS))("shows a dialog: %s", (name, [kind, selected, options]) => {
    const look = lookAt(screen(name));
    assert.equal(look.state, "dialog");
    if (look.state !== "dialog") return;
    const number = look.options.find((it) => it.selected)?.number ?? 0;
    assert.deepEqual([look.kind, number, look.options.length], [kind, selected, options]);
  });

  it.each(Object.entries(OTHERS))("shows no dialog: %s", (name, state) => {
    assert.equal(lookAt(screen(name)).state, state);
  });

  it("shows no dialog if one was only printed", () => {
    const [, above = "", below = ""] = /^([\s\S]*)(\n─+\n❯.*\n─+\n[\s\S]*)$/.exec(screen("idle")) ?? [];
    assert.notEqual(below, "");
    for (const name of Object.keys(DIALOGS))
      assert.equal(lookAt(`${above}\n${screen(name)}${below}`).state, "idle");
  });

  it("is judged by what is there, whatever is above it", () => {
    for (const name of Object.keys(DIALOGS)) {
      const shown = screen(name);
      if (shown.startsWith("Welcome")) continue; // a page of its own: nothing can be above
      const look = lookAt(`${screen("idle")}\n${shown}`);
      assert.deepEqual(
        look.state === "dialog" && look.options,
        (lookAt(shown) as { options?: unknown }).options,
        name,
      );
    }
  });
});
