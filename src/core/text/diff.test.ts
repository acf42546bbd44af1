import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "vitest";
import { readDiff, unifiedDiff } from "./diff.ts";

const numbers = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join("");

/** The text on one side of a diff that shows everything. */
function side(diff: string, mark: "-" | "+"): string {
  const lines = diff.split("\n").filter((it) => !it.startsWith("@@"));
  return lines
    .flatMap((it, at) => {
      if (it.startsWith("\\") || (it[0] !== " " && it[0] !== mark)) return [];
      return [it.slice(1) + (lines[at + 1]?.startsWith("\\") ? "" : "\n")];
    })
    .join("");
}

describe("a unified diff", () => {
  it("has three lines around a change, with their numbers", () => {
    const before = numbers(20);
    assert.equal(
      unifiedDiff(before, before.replace("line 9\n", "line nine\nand more\n")),
      [
        "@@ -6,7 +6,8 @@",
        ...[" line 6", " line 7", " line 8", "-line 9", "+line nine", "+and more"],
        ...[" line 10", " line 11", " line 12"],
      ].join("\n"),
    );
  });

  it("puts close changes in one hunk, and distant ones in two", () => {
    const before = numbers(40);
    const hunks = (...changed: number[]) => {
      const after = changed.reduce((text, n) => text.replace(`line ${n}\n`, `new ${n}\n`), before);
      return unifiedDiff(before, after).match(/^@@.*@@$/gm);
    };
    assert.deepEqual(hunks(10, 17), ["@@ -7,14 +7,14 @@"]);
    assert.deepEqual(hunks(10, 18), ["@@ -7,7 +7,7 @@", "@@ -15,7 +15,7 @@"]);
    assert.deepEqual(hunks(1, 40), ["@@ -1,4 +1,4 @@", "@@ -37,4 +37,4 @@"]);
  });

  it("says that the last line has no newline", () => {
    assert.equal(unifiedDiff("a", "a\n"), "@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a");
  });

  it("has no lines on the side that is empty, and is empty where nothing changes", () => {
    assert.equal(unifiedDiff("", "a\nb\n"), "@@ -0,0 +1,2 @@\n+a\n+b");
    assert.equal(unifiedDiff("a\n", ""), "@@ -1,1 +0,0 @@\n-a");
    assert.equal(unifiedDiff("a\n", "a\n"), "");
  });

  it("leads from one text to the other, and never marks more than it must", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 12 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const diff = unifiedDiff(before, after);
        if (before === after) return assert.equal(diff, "");
        assert.equal(side(diff, "-"), before);
        assert.equal(side(diff, "+"), after);
      }),
    );
  });

  it("replaces everything where the texts are long and have little in common", () => {
    const long = (word: string) => Array.from({ length: 9000 }, (_, at) => `${word} ${at % 7}\n`).join("");
    assert.match(unifiedDiff(long("a"), long("b")), /^@@ -1,9000 \+1,9000 @@/);
    assert.match(unifiedDiff("\n".repeat(100_000), "x\n".repeat(100_000)), /^@@ -1,100000/);
  });
});

describe("a diff, read back", () => {
  it("is lines of each kind, with gaps that say how much is missing", () => {
    const before = numbers(30);
    const diff = unifiedDiff(before, before.replace("line 5\n", "-- five\n").replace("line 20\n", ""));
    assert.deepEqual(
      readDiff(diff).filter((it) => it.kind !== "kept"),
      [
        { kind: "gap", text: "1 unchanged line" },
        { kind: "removed", text: "line 5" },
        { kind: "added", text: "-- five" },
        { kind: "gap", text: "8 unchanged lines" },
        { kind: "removed", text: "line 20" },
      ],
    );
    assert.equal(readDiff(diff).filter((it) => it.kind === "kept").length, 12);
  });

  it("says where the last line has no newline", () => {
    assert.deepEqual(readDiff(unifiedDiff("a", "b\n")), [
      { kind: "removed", text: "a (no newline at the end)" },
      { kind: "added", text: "b" },
    ]);
    assert.deepEqual(readDiff(""), []);
  });
});
