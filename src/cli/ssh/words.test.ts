import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { wordsOf } from "./words.ts";

describe("the words of an ssh command", () => {
  const READ: [text: string, words: string[]][] = [
    ["", []],
    ["  oj   decision\tlist ", ["oj", "decision", "list"]],
    [`oj resolve 7k3 -m 'a; b && $(id) "c"'`, ["oj", "resolve", "7k3", "-m", 'a; b && $(id) "c"']],
    [`oj resolve 7k3 -m "a; 'b'"`, ["oj", "resolve", "7k3", "-m", "a; 'b'"]],
    [`-m "say \\"no\\" for \\$5 \\n"`, ["-m", 'say "no" for $5 \\n']],
    [`a\\ b \\; ''`, ["a b", ";", ""]],
    [`x'y'"z"`, ["xyz"]],
    ["really? #1 ~ * [a] {b} !c", ["really?", "#1", "~", "*", "[a]", "{b}", "!c"]],
    ["naïve 日本", ["naïve", "日本"]],
  ];
  for (const [text, words] of READ)
    it(`reads ${JSON.stringify(text)}`, () => assert.deepEqual(wordsOf(text), words));

  const REFUSED = [
    ..."oj a; id|oj a & id|oj a && id|oj a > /tmp/x|oj a < /etc/passwd|oj $(id)|oj `id`|oj ${HOME}|(oj)".split(
      "|",
    ),
    "oj a | id",
    'oj -m "$(id)"',
    'oj -m "`id`"',
    "oj a\nid",
    "oj a\rid",
    "oj a\u0000id",
    "oj \u001b[2J",
    "oj 'a",
    'oj "a',
    "oj a\\",
    `oj ${"a".repeat(300_000)}`,
  ];
  for (const text of REFUSED)
    it(`refuses ${JSON.stringify(text).slice(0, 40)}`, () =>
      assert.throws(() => wordsOf(text), { code: "usage" }));
});
