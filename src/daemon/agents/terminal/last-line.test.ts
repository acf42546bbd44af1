import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { lastLine } from "./last-line.ts";

const BOX = ["╭──────────────────╮", "│ >                │", "╰──────────────────╯", "  ? for shortcuts"];

describe("the last line of a screen", () => {
  it("is the last one that says something", () => {
    assert.equal(lastLine("compiling\nlinking\n\n   \n"), "linking");
    assert.equal(lastLine(""), "");
  });

  it("is above the box that people type into, whatever stands below that", () => {
    assert.equal(
      lastLine(["● Bash(npm test)", "✻ Thinking… (12s)", "", ...BOX].join("\n")),
      "✻ Thinking… (12s)",
    );
    const rules = [
      "● Hello.",
      "",
      "────────────────────",
      "❯ ",
      "────────────────────",
      "  esc to interrupt",
    ];
    assert.equal(lastLine(rules.join("\n")), "● Hello.");
  });

  it("may be below a rule that is further up", () => {
    const text = ["────────────────────", ...Array.from({ length: 12 }, (_, n) => `line ${n}`)];
    assert.equal(lastLine(text.join("\n")), "line 11");
  });
});
