import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, it } from "vitest";
import { lineWords } from "./line-words.ts";

describe("the words of a line", () => {
  for (const [line, words] of [
    ["fix 'the cart'", ["fix", "the cart"]],
    ['a "it\'s b" c\\ d', ["a", "it's b", "c d"]],
    [`--name="x y" '' "" z`, ["--name=x y", "", "", "z"]],
    ['"a \\"b\\" \\n"', ['a "b" \\n']],
    ["  ", []],
    ["'open", ["open"]],
  ] as const)
    it(line, () => assert.deepEqual(lineWords(line), words));

  it("are those that bash sees", () => {
    const part = fc.constantFrom(
      "a",
      "b c",
      "'x y'",
      '"p q"',
      "\\ ",
      "\\'",
      '\\"',
      `"it's"`,
      `'"'`,
      " ",
      "-",
      "=",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const line = parts.join("");
        const seen = spawnSync("bash", ["-c", `printf '%s\\0' ${line}`], { encoding: "utf8" }).stdout;
        assert.deepEqual(lineWords(line), line.trim() === "" ? [] : seen.split("\0").slice(0, -1));
      }),
      { numRuns: 60 },
    );
  });
});
