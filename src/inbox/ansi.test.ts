import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "vitest";
import { screenLines } from "./ansi.ts";

const CONTROL = /[^\P{Cc}\n\t]/u;

const texts = (text: string) => screenLines(text).map((line) => line.map((it) => it.text).join(""));

describe("a terminal's screen", () => {
  it("has its colours, even across several lines", () => {
    const [first, second] = screenLines("a\x1b[1;31mb\nc\x1b[0md");
    assert.deepEqual(
      [first, second].map((line) => line?.map((it) => [it.text, it.look.colour, it.look.bold])),
      [
        [
          ["a", null, false],
          ["b", 1, true],
        ],
        [
          ["c", 1, true],
          ["d", null, false],
        ],
      ],
    );
  });

  it("supports the palette of 256 and true colours", () => {
    const [line] = screenLines("\x1b[38;5;208mx\x1b[48;2;1;2;255my\x1b[97mz");
    assert.deepEqual(
      line?.map((it) => [it.look.colour, it.look.background]),
      [
        [208, null],
        [208, "#0102ff"],
        [15, "#0102ff"],
      ],
    );
  });

  it("loses every control sequence", () => {
    for (const evil of [
      "\x1b[2J",
      "\x1b]0;title\x07",
      "\x1b]52;c;AAAA\x1b\\",
      "\x1bPq#0\x1b\\",
      "\x1b(0",
      "\x07",
      "\x9b2J",
      "\r",
    ])
      assert.doesNotMatch(texts(`a${evil}b`).join(""), CONTROL, JSON.stringify(evil));
    assert.deepEqual(texts("a\x1b[2Jb\x1b]8;;http://x\x1b\\c"), ["abc"]);
  });

  it("never lets a control character through", () => {
    const parts = fc.constantFrom(
      "\x1b",
      "[",
      "]",
      "m",
      ";",
      "38",
      "5",
      "x",
      "\x07",
      "\n",
      "\x9c",
      "\\",
      "P",
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 40 }), (all) => {
        for (const line of texts(all.join(""))) assert.doesNotMatch(line, CONTROL);
      }),
    );
  });
});
