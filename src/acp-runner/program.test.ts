/** A program that fails to set itself up at its first start, as when several do so at once. */
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { startProgram } from "./program.ts";

/** Fails so often, and then says so and echoes what it reads. */
function program(failures: number) {
  const home = fs.mkdtempSync(path.join(os.tmpdir(), "oj-program-"));
  onTestFinished(() => fs.rmSync(home, { recursive: true, force: true }));
  const script = `echo x >> starts; [ $(wc -l < starts) -le ${failures} ] && { echo "Failed query" >&2; exit 1; }
echo up; exec cat`;
  fs.writeFileSync(path.join(home, "run.sh"), `cd "${home}"; ${script}\n`);
  let up = false;
  let said = "";
  const over = new Promise<number | null>((resolve) => {
    const it = startProgram(["sh", path.join(home, "run.sh")], home, process.env, {
      failed: assert.fail,
      ended: resolve,
      isWorthAnother: (code) => code === 1 && !up,
      pauseMs: 10,
    });
    it.stdout.setEncoding("utf8").on("data", (part: string) => {
      said += part;
      if (part.includes("up")) it.stdin.write("hello\n");
      up = true;
      if (said.includes("hello")) it.kill();
    });
    onTestFinished(() => it.kill());
  });
  const starts = () => fs.readFileSync(path.join(home, "starts"), "utf8").split("\n").length - 1;
  return { over, starts, said: () => said };
}

describe("a program", () => {
  it("is started again if it ended before it came up, and hears what it is told", async () => {
    const { over, starts, said } = program(2);
    assert.equal(await over, null);
    assert.equal(starts(), 3);
    assert.equal(said(), "up\nhello\n");
  });

  it("is given up in the end", async () => {
    const { over, starts } = program(99);
    assert.equal(await over, 1);
    assert.equal(starts(), 5);
  });
});
