/**
 * A program whose time is up is killed. Merely told to end, it may not care, and then whoever waits for it waits on; or it
 * exits with 0, as tmux does, and what it did not say counts as its answer.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { it } from "vitest";

/** A limit in the options of a call that runs a program. */
const LIMIT = /\btimeout(?:: [\w.]+|(?=[ ,}]))/;
const RUNS = /\b(?:execFile|execFileSync|spawnSync)\b/;

function problemsIn(text: string): string[] {
  if (!RUNS.test(text)) return [];
  const lines = text.split("\n");
  return lines.filter((line, n) => {
    const near = [line, lines[n + 1]].join(" ");
    return (
      LIMIT.test(line) && !/function|^\s*(?:\*|\/)/.test(line) && !near.includes('killSignal: "SIGKILL"')
    );
  });
}

it("a program that is run with a time limit is killed when that is over", () => {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter(
    (it) => /\.tsx?$/.test(it) && !it.includes(".test."),
  );
  const found = files.flatMap((it) =>
    problemsIn(readFileSync(`src/${it}`, "utf8")).map((line) => `${it}: ${line}`),
  );
  assert.deepEqual(found, []);
});

it("the look at the source finds a limit without a kill, however it is written", () => {
  const run = (options: string) => problemsIn(`await promisify(execFile)("ps", [], ${options});`).length;
  assert.deepEqual(
    [
      "{ timeout: 5000 }",
      "{ timeout }",
      "{ cwd, timeout: A_MS, env }",
      '{ timeout, killSignal: "SIGKILL" }',
      "{ env }",
    ].map(run),
    [1, 1, 1, 0, 0],
  );
  assert.deepEqual(problemsIn("fetch(url, { timeout: 5000 })"), []);
});
