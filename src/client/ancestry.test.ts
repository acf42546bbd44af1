import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { callerAbove } from "./ancestry.ts";

const tokenAbove = (stateDir: string, pid: number) => callerAbove(stateDir, pid).token;

/** A program with this environment, and one below it with none. Both live until the test ends. */
async function above(
  env: Record<string, string>,
  script = "env -i sleep 60 & echo $!; wait",
  detached = false,
): Promise<number> {
  const child = spawn("bash", ["-c", script], { env: { PATH: process.env.PATH ?? "", ...env }, detached });
  onTestFinished(() => {
    spawn("kill", [String(pid), String(child.pid)]);
  });
  const pid = await new Promise<number>((resolve) =>
    child.stdout.once("data", (part) => resolve(Number(part))),
  );
  // until then the process is a copy of the shell that started it
  while (!fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith("sleep"))
    await new Promise((resolve) => setTimeout(resolve, 5));
  return pid;
}

/** This many nested shells; the innermost has an empty environment. */
function nested(levels: number): string {
  const again = `if [ $1 -gt 0 ]; then bash -c "$0" "$0" $(($1 - 1)); else env -i sleep 60 & echo $!; wait; fi; true`;
  return `bash -c '${again}' '${again}' ${levels}; true`;
}

describe.skipIf(!fs.existsSync("/proc/self/environ"))("an agent's token in a parent process", () => {
  it("is found if the agent belongs to this state folder", async () => {
    const pid = await above({ X: "1", OJ_AGENT_TOKEN: "secret", OJ_STATE_DIR: "/state" });
    assert.equal(tokenAbove("/state", pid), "secret");
    assert.equal(tokenAbove("/other", pid), null);
  });

  it("is not confused with a variable that only ends like it, nor with an empty one", async () => {
    const pid = await above({ MY_OJ_AGENT_TOKEN: "x", OJ_AGENT_TOKEN: "", OJ_STATE_DIR: "/state" });
    assert.equal(tokenAbove("/state", pid), null);
  });

  it("is found under another name of the folder, and however deep it is", async () => {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), "oj-ancestry-"));
    onTestFinished(() => fs.rmSync(dir, { recursive: true }));
    const [folder, link] = [path.join(dir, "state"), path.join(dir, "link")];
    fs.mkdirSync(folder);
    fs.symlinkSync("state", link);
    const pid = await above({ OJ_AGENT_TOKEN: "secret", OJ_STATE_DIR: folder }, nested(100));
    assert.equal(tokenAbove(link, pid), "secret");
    assert.equal(tokenAbove(dir, pid), null);
  });

  it("is found from the background, through the terminal's session", async () => {
    const script = "(env -i bash -c 'sleep 60 & echo $!' &) ; sleep 60";
    const pid = await above({ OJ_AGENT_TOKEN: "secret", OJ_STATE_DIR: "/state" }, script, true);
    assert.equal(tokenAbove("/state", pid), "secret");
  });

  it("does not count above the daemon", async () => {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), "oj-ancestry-"));
    onTestFinished(() => fs.rmSync(dir, { recursive: true }));
    const pid = await above({ OJ_AGENT_TOKEN: "secret", OJ_STATE_DIR: dir });
    assert.equal(tokenAbove(dir, pid), "secret");
    const [, parent] = /\) \S (\d+)/.exec(fs.readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
    fs.writeFileSync(path.join(dir, "daemon.pid"), `${parent}\n`);
    assert.equal(tokenAbove(dir, pid), null);
  });

  it("is not found for processes that have ended or never existed", () => {
    assert.equal(tokenAbove("/state", 2 ** 22 + 1), null);
    assert.equal(tokenAbove("/state", 1), null);
  });
});
