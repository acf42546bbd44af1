import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { sameText } from "../core/outbox/parcel.ts";
import { guarded, unguarded } from "./guarded-words.ts";

describe("text that is typed to a client", () => {
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

  it("never begins with what would be a command, and is recognized afterwards", () => {
    for (const words of commands) {
      assert.match(guarded(words), /^The user says: \S/);
      assert.ok(sameText(unguarded(guarded(words)), words), words);
    }
  });

  it("is otherwise unchanged", () => {
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

  it("is never a flag, and is sent off by Enter whatever it ends with", () => {
    assert.equal(guarded("--help"), " --help");
    assert.equal(guarded("C:\\dir\\"), "C:\\dir\\ ");
    assert.equal(guarded("/dir\\\n"), "The user says: /dir\\ ");
  });
});
