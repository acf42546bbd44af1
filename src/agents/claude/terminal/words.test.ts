import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { sameText } from "../../../core/parcel.ts";
import { guarded, unguarded } from "./words.ts";

describe("words for Claude Code", () => {
  const commands = [
    "!rm x",
    "  !rm x",
    "/clear",
    "\n/help me",
    "/usr/lib is full",
    "exit",
    " Quit\n",
    ":q!",
    ":wq",
  ];

  it("never begin with what would be a command, and are known again", () => {
    for (const words of commands) {
      assert.match(guarded(words), /^The user says: \S/);
      assert.ok(sameText(unguarded(guarded(words)), words), words);
    }
  });

  it("stay as they are otherwise", () => {
    for (const words of [
      "Go on.",
      "exit the loop",
      "a/b",
      "wait!",
      "# heading",
      "The user says: hello",
      "",
    ]) {
      assert.equal(guarded(words), words);
      assert.equal(unguarded(words), words);
    }
  });

  it("are no flag, and are sent off by Enter whatever they end with", () => {
    assert.equal(guarded("--help"), " --help");
    assert.equal(guarded("C:\\dir\\"), "C:\\dir\\ ");
    assert.equal(guarded("/dir\\\n"), "The user says: /dir\\ ");
  });
});
