/** Only one file of the source makes answers, so that whatever an answer must pass is passed by all of them. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { describe, it } from "vitest";

describe("`give.ts`", () => {
  const source = (dir: string): string[] =>
    readdirSync(dir, { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file) && !file.includes(".test."))
      .map((file) => `${dir}/${file}`);

  /** Where a fact is made, rather than read, folded or declared. */
  const MAKES = /(?:emit\(\{|\[|return|:|\()\s*\{?\s*type: "decision:(?:resolved|held|voted)"[,\s]/;

  it("is the only file that makes an answer", () => {
    const makers = source("src").filter((file) => {
      const text = readFileSync(file, "utf8");
      return text
        .split("\n")
        .some((line) => MAKES.test(line) || /^\s+type: "decision:(resolved|held|voted)",$/.test(line));
    });
    assert.deepEqual(makers, ["src/core/decision/give.ts"]);
  });

  it("is the only file that lets an answer act, or ends a decision with one", () => {
    const users = (what: RegExp) =>
      source("src")
        .filter((file) => what.test(readFileSync(file, "utf8")))
        .sort();
    assert.deepEqual(users(/\bcarryOut\(/), ["src/core/decision/carry-out.ts", "src/core/decision/give.ts"]);
    assert.deepEqual(users(/type: "decision:expired"(?! \})/), [
      "src/core/decision/give.ts",
      "src/core/model/events.ts",
      "src/core/request/outcome.ts",
    ]);
  });
});
