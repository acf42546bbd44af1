import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { hang, pad, table, truncate, widthOf, wrap } from "./layout.ts";

describe("the width of text", () => {
  for (const [text, width] of [
    ["", 0],
    ["abc", 3],
    ["日本", 4],
    ["한국", 4],
    ["ｆｕｌｌ", 8],
    ["e\u0301", 1],
    ["नी", 1],
    ["👍", 2],
    ["👍🏽", 2],
    ["👩‍👩‍👧", 2],
    ["❤️", 2],
    ["🇩🇪", 2],
    ["★ → …", 5],
    ["䷀", 2],
    ["🫩", 2],
    ["㉈", 1],
    ["\u1100\u1161\u11a8", 2],
    ["1️⃣", 2],
    ["\u001b[31mred\u001b[39m", 3],
  ] as const)
    it(`of ${JSON.stringify(text)} is ${width}`, () => assert.equal(widthOf(text), width));

  it("is padded to columns", () => assert.equal(pad("日", 4), "日  "));
});

describe("truncated text", () => {
  it("is left alone if it fits", () => assert.equal(truncate("abcd", 4), "abcd"));
  it("says that it was cut", () => assert.equal(truncate("abcde", 4), "abc…"));
  it("never has half a wide letter", () => assert.equal(truncate("日本語", 4), "日…"));
  it("gives nothing wider than asked for, however narrow", () => {
    for (const text of ["日本語", "abc", "👩‍👩‍👧👍🏽", "e\u0301e\u0301e\u0301"])
      for (const width of [0, 1, 2, 3])
        assert.ok(widthOf(truncate(text, width)) <= width, `${text} at ${width}`);
  });
  it("keeps marks with their letter", () => assert.equal(truncate("ae\u0301bc", 3), "ae\u0301…"));
});

describe("wrapped text", () => {
  it("breaks between words", () =>
    assert.deepEqual(wrap("one two three four", 10), ["one two", "three four"]));
  it("keeps its lines and empty lines", () => assert.deepEqual(wrap("a\n\nb", 10), ["a", "", "b"]));
  it("keeps the indentation of the line it continues", () => {
    assert.deepEqual(wrap("    indented text here", 16), ["    indented", "    text here"]);
  });
  it("breaks words that are longer than a line, and loses nothing", () => {
    const lines = wrap("x".repeat(25), 10);
    assert.deepEqual(lines, ["x".repeat(10), "x".repeat(10), "x".repeat(5)]);
  });
  it("counts wide letters", () =>
    assert.deepEqual(wrap("日本語日本語日本語", 10), ["日本語日本", "語日本語"]));
  it("expands tabs to columns", () => assert.deepEqual(wrap("a\tb", 20), ["a       b"]));
  it("is never wider than asked for", () => {
    const text = `${"word ".repeat(40)}\n  ${"日本".repeat(30)}\n${"x".repeat(100)} y\n${" ".repeat(60)}z ${"q".repeat(70)}`;
    for (const width of [10, 17, 40, 79]) {
      for (const line of wrap(text, width)) assert.ok(widthOf(line) <= width, `${width}: "${line}"`);
    }
  });
  it("can hang under a first prefix", () => {
    assert.deepEqual(hang("1  ", "one two three", 10), ["1  one two", "   three"]);
  });
});

describe("a table", () => {
  const rows = [
    ["ID", "WHO", "TITLE"],
    ["dec-1", "日本", "short"],
    ["dec-22", "a", "a title that is rather long"],
  ];

  it("aligns its columns", () =>
    assert.deepEqual(table(rows), [
      "ID      WHO   TITLE",
      "dec-1   日本  short",
      "dec-22  a     a title that is rather long",
    ]));

  it("cuts the last column to the width", () =>
    assert.deepEqual(table(rows, { width: 26 }), [
      "ID      WHO   TITLE",
      "dec-1   日本  short",
      "dec-22  a     a title tha…",
    ]));

  it("puts the last column below if there is no room beside", () =>
    assert.deepEqual(table(rows, { width: 26, room: 20, heading: true }), [
      "ID      WHO",
      "dec-1   日本",
      "    short",
      "dec-22  a",
      "    a title that is rathe…",
    ]));

  it("colours cells without moving them", () => {
    const paint = (cell: string, row: number) => (row === 0 ? `\u001b[2m${cell}\u001b[22m` : cell);
    assert.equal(table(rows, { paint })[1], "dec-1   日本  short");
  });

  it("is empty if there are no rows", () => assert.deepEqual(table([]), []));
});
