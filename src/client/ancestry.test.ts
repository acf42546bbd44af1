import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { tokenAbove } from "./ancestry.ts";

/** A program with this environment, and one below it with none; both live until the test ends. */
async function above(env: Record<string, string>): Promise<number> {
  const script = "env -i sleep 60 & echo $!; wait";
  const child = spawn("bash", ["-c", script], { env: { PATH: process.env.PATH ?? "", ...env } });
  onTestFinished(() => {
    spawn("kill", [String(pid), String(child.pid)]);
  });
  const pid = await new Promise<number>((resolve) =>
    child.stdout.once("data", (part) => resolve(Number(part))),
  );
  return pid;
}

describe.skipIf(!fs.existsSync("/proc/self/environ"))("a token in the programs above", () => {
  it("is found, of an agent of this state folder", async () => {
    const pid = await above({ X: "1", OJ_AGENT_TOKEN: "secret", OJ_STATE_DIR: "/state" });
    assert.equal(tokenAbove("/state", pid), "secret");
    assert.equal(tokenAbove("/other", pid), null);
  });

  it("is not taken from a name that only ends like it, nor from an empty one", async () => {
    const pid = await above({ MY_OJ_AGENT_TOKEN: "x", OJ_AGENT_TOKEN: "", OJ_STATE_DIR: "/state" });
    assert.equal(tokenAbove("/state", pid), null);
  });

  it("does not count above the daemon", async () => {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), "oj-ancestry-"));
    onTestFinished(() => fs.rmSync(dir, { recursive: true }));
    const pid = await above({ OJ_AGENT_TOKEN: "secret", OJ_STATE_DIR: dir });
    assert.equal(tokenAbove(dir, pid), "secret");
    fs.writeFileSync(path.join(dir, "daemon.pid"), `${pid}\n`);
    assert.equal(tokenAbove(dir, pid), null);
  });

  it("of programs that have ended or never were is nothing", () => {
    assert.equal(tokenAbove("/state", 2 ** 22 + 1), null);
    assert.equal(tokenAbove("/state", 1), null);
  });
});
