import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "vitest";
import { readKeys } from "./keys.ts";

const types = (input: string) => readKeys(input).keys.map((it) => (it.type === "char" ? it.char : it.type));

describe("keys", () => {
  it("are characters and names", () => {
    assert.deepEqual(types("aé😀\r\t\u007f\u0003\u0015"), [
      "a",
      "é",
      "😀",
      "enter",
      "tab",
      "backspace",
      "ctrl-c",
      "ctrl-u",
    ]);
    assert.deepEqual(types("\u001b[A\u001b[B\u001b[C\u001b[D\u001b[Z\u001bOA"), [
      "up",
      "down",
      "right",
      "left",
      "back-tab",
      "up",
    ]);
    assert.deepEqual(types("\u001b[15~\u001b[1;5A\u0007x"), ["other", "other", "other", "x"]);
    assert.deepEqual(types("\u001bx"), ["escape", "x"]);
  });

  it("keep a paste together, whatever is in it", () => {
    const { keys, rest } = readKeys("\u001b[200~one\r\ntwo\r\u001b[A!\u001b[201~x");
    assert.deepEqual(keys, [
      { type: "paste", text: "one\ntwo\n\u001b[A!" },
      { type: "char", char: "x" },
    ]);
    assert.equal(rest, "");
  });

  it("wait for the rest of an incomplete sequence", () => {
    for (const begun of ["\u001b", "\u001b[", "\u001b[1;", "\u001bO", "\u001b[200~half"])
      assert.deepEqual(readKeys(begun), { keys: [], rest: begun });
  });

  it("are the same however they are split on arrival", () => {
    const parts = fc.array(
      fc.constantFrom("a", "1", "\r", "\t", "\u001b[A", "\u001b[Z", "\u001b[200~a\nb\u001b[201~", "é"),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(parts, fc.nat(), (words, at) => {
        const whole = words.join("");
        const cut = whole.length === 0 ? 0 : at % whole.length;
        const first = readKeys(whole.slice(0, cut));
        const second = readKeys(first.rest + whole.slice(cut));
        assert.deepEqual([...first.keys, ...second.keys], readKeys(whole).keys);
      }),
    );
  });
});
