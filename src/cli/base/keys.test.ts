import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Key } from "./keys.ts";
import { edit, keysOf } from "./keys.ts";

const types = (input: string) =>
  keysOf(input).keys.map((key) => ("text" in key ? `${key.type} ${key.text}` : key.type));

describe("keys", () => {
  it("that arrive together are still single keys", () =>
    assert.deepEqual(types("1s?"), ["text 1", "text s", "text ?"]));
  it("are letters of any script", () => assert.deepEqual(types("ä日👍"), ["text ä", "text 日", "text 👍"]));
  it("have names if they are control keys", () =>
    assert.deepEqual(types("\r\n\u007f\b\u0015\u0003\u0004\u001b"), [
      "enter",
      "enter",
      "backspace",
      "backspace",
      "clear",
      "interrupt",
      "end",
      "escape",
    ]));
  it("for arrows and functions are neither letters nor Esc", () =>
    assert.deepEqual(types("\u001b[A\u001bOP\u001b[15~\u001b[1;5Cx"), [
      "move",
      "other",
      "other",
      "other",
      "text x",
    ]));
  it("with Alt are not Esc", () => assert.deepEqual(types("\u001b1"), ["other"]));
  it("that are pasted arrive as one text, never as key presses", () =>
    assert.deepEqual(types("\u001b[200~1\r\n1\r\u001b[201~s"), ["paste 1\r\n1\r", "text s"]));
  it("wait for the rest of a paste", () => {
    const { keys, rest } = keysOf("s\u001b[200~half");
    assert.deepEqual(keys, [{ type: "text", text: "s" }]);
    assert.equal(rest, "\u001b[200~half");
  });
});

describe("a line being typed", () => {
  const typed = (...keys: Key[]) => keys.reduce(edit, "");
  const text = (it: string): Key => ({ type: "text", text: it });
  it("grows", () => assert.equal(typed(text("a"), text("b")), "ab"));
  it("shrinks by whole characters", () =>
    assert.equal(typed(text("a"), text("👍"), { type: "backspace" }), "a"));
  it("is emptied", () => assert.equal(typed(text("a"), { type: "clear" }), ""));
  it("takes a paste as one line without control characters", () =>
    assert.equal(typed({ type: "paste", text: "one\r\n  two\u001b[31m" }), "one two[31m"));
});
