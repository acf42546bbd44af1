import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { lineDiff } from "./line-diff.ts";

const SIGNS = { kept: " ", removed: "-", added: "+", gap: "…" };
const drawn = (before: string, after: string) =>
  lineDiff(before, after).map(({ kind, text }) => `${SIGNS[kind]}${text}`);

describe("a diff of lines", () => {
  it("keeps what both have in common", () =>
    assert.deepEqual(drawn("a\nb\nc\nd", "a\nc\nx\nd"), [" a", "-b", " c", "+x", " d"]));

  it("adds everything to nothing, and removes everything for nothing", () => {
    assert.deepEqual(drawn("", "a\n"), ["+a", "+"]);
    assert.deepEqual(drawn("a", ""), ["-a"]);
  });

  it("leaves out unchanged lines far from a change, and says how many", () => {
    const lines = Array.from({ length: 20 }, (_, at) => `${at}`);
    const changed = lines.map((it) => (it === "10" ? "ten" : it));
    assert.deepEqual(drawn(lines.join("\n"), changed.join("\n")), [
      "…7 unchanged lines",
      ..." 7, 8, 9,-10,+ten, 11, 12, 13".split(","),
      "…6 unchanged lines",
    ]);
  });

  it("does not leave out a single line: saying so takes as much room", () => {
    assert.deepEqual(drawn("1\n2\n3\n4\nx", "1\n2\n3\n4\ny").slice(0, 2), [" 1", " 2"]);
  });

  it("contains both texts, whatever changed", () => {
    const letters = "aabbcd";
    for (let seed = 0; seed < 300; seed++) {
      const text = (from: number) =>
        Array.from({ length: seed % 7 }, (_, at) => letters[(seed * (at + from) * 7 + at * from) % 6]).join(
          "\n",
        );
      const lines = lineDiff(text(3), text(5));
      const side = (kind: string) =>
        lines.filter((it) => it.kind === "kept" || it.kind === kind).map((it) => it.text);
      if (lines.some((it) => it.kind === "gap")) continue;
      assert.equal(side("removed").join("\n"), text(3));
      assert.equal(side("added").join("\n"), text(5));
    }
  });

  it("is quick with texts of many lines", () => {
    const [before, after] = ["a", "b"].map((it) =>
      Array.from({ length: 20_000 }, (_, at) => it + at).join("\n"),
    );
    assert.equal(lineDiff(before ?? "", after ?? "").length, 40_000);
  });
});
