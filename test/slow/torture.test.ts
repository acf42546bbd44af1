import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import path from "node:path";
import { it, onTestFinished } from "vitest";

/** One chain; more in `npm run test:long`, and as many as you like with `npm run torture -- --rounds 500`. */
const ROUNDS = Number(process.env.OJ_TORTURE_ROUNDS ?? 8);

/** The seed is different each time; a failure prints it, and keeps its evidence. */
it(`nothing is lost or duplicated in ${ROUNDS} rounds of torture`, async () => {
  const root = path.join(import.meta.dirname, "../..");
  const child = spawn(process.execPath, ["scripts/run.mjs", "torture", "--rounds", String(ROUNDS)], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true, // so that an aborted test takes all of it along
  });
  onTestFinished(() => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGTERM");
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (part) => {
      output += part;
    });
  const code = await new Promise((resolve) => child.once("close", resolve));
  assert.equal(code, 0, output);
  assert.match(output, new RegExp(`nothing lost, nothing doubled: ${ROUNDS} rounds`));
});
