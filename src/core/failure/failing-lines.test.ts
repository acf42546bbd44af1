import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "vitest";
import { failedChecks } from "../../../test/fakes/failed-checks.ts";
import { failingLines, failureFinder } from "./failing-lines.ts";

const numbered = (count: number, text: string) =>
  Array.from({ length: count }, (_, at) => `${text} ${at + 1}\n`).join("");

describe("the lines that say what failed", () => {
  for (const { runner, output, reason, shows } of failedChecks)
    it(`are found in the output of ${runner}, however much is around them`, () => {
      const around = `${numbered(300, "✓ works with no errors")}${output}\n${numbered(60, "Done: cleaned up")}`;
      for (const [name, printed] of [
        ["alone", output],
        ["in a flood", around],
      ] as const) {
        const found = failingLines(printed);
        assert.equal(found.reason, reason, name);
        assert.ok(found.text.includes(reason), `${name}: ${found.text}`);
        for (const it of shows) assert.ok(found.text.includes(it), `${name}, ${it}: ${found.text}`);
        assert.ok(found.text.split("\n").length <= 50, name);
      }
    });

  it("come first, with what is around them, and the end", () => {
    const output = `${numbered(20, "building")}cart.c:3: error: no tax\n${numbered(40, "linking")}`;
    const lines = failingLines(output).text.split("\n");
    assert.deepEqual(lines.slice(0, 5), [
      ...["… 17 lines left out", "building 18", "building 19", "building 20"],
      "cart.c:3: error: no tax",
    ]);
    assert.deepEqual(lines.slice(13, 16), ["linking 9", "… 19 lines left out", "linking 29"]);
    assert.equal(lines.at(-1), "linking 40");
  });

  it("are the end if none says so, and all of a short output", () => {
    assert.deepEqual(failingLines(numbered(30, "line")), {
      text: `… 18 lines left out\n${numbered(30, "line").trimEnd().split("\n").slice(-12).join("\n")}`,
      reason: "",
    });
    assert.deepEqual(failingLines("no\n"), { text: "no", reason: "" });
    assert.deepEqual(failingLines(""), { text: "", reason: "" });
  });

  it("don't hide a reason behind a long list of failures", () => {
    const list = Array.from({ length: 80 }, (_, at) => `  ✗ test ${at}`).join("\n");
    const { text, reason } = failingLines(
      `${list}\n\nTypeError: total is not a function\n${numbered(50, "at")}`,
    );
    assert.equal(reason, "TypeError: total is not a function");
    assert.match(text, /^… 78 lines left out\n/);
  });

  it("are plain: without colours, and progress as it ended", () => {
    assert.equal(
      failingLines("\u001b[31mERROR\u001b[0m: no\u001b]0;title\u0007\n10%\r50%\r100%\r\n").text,
      "ERROR: no\n100%",
    );
  });

  it("are bounded, whatever is printed, and stay the same when asked again", () => {
    const piece = fc.constantFrom(
      "error: x\n",
      "✓ fine\n",
      "x".repeat(500),
      "\n",
      "\r",
      "\u001b[1m",
      "FAILED\n",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 120 }), (pieces) => {
        const finder = failureFinder();
        for (const it of pieces) finder.add(it);
        const text = finder.text();
        assert.ok(text.length < 25_000 && !text.includes("\u001b"));
        assert.equal(finder.text(), text);
      }),
      { numRuns: 50 },
    );
  });
});
