import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { endLeftovers } from "../leftovers.ts";

const PATIENCE_MS = 30_000;

function tempFolder(): string {
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), "oj-left-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe("whatever tests leave behind", () => {
  it("is found by its arguments, its environment or its files, and its processes are ended", async () => {
    const folder = tempFolder();
    fs.writeFileSync(path.join(folder, "socket"), "");
    const children = [
      spawn("sleep", ["1000"], { env: { ...process.env, HOME: `${folder}/home` } }),
      spawn("tail", ["-f", "/dev/null", `${folder}/socket`]),
    ];
    const ended = children.map(
      (it) => new Promise((resolve) => it.once("exit", (_, signal) => resolve(signal))),
    );
    const left = await endLeftovers(folder, 0);
    for (const { pid } of children)
      assert.ok(
        left.some((it) => it.startsWith(`${pid} `)),
        left.join("\n"),
      );
    assert.ok(left.includes(path.join(folder, "socket")));
    assert.deepEqual(await Promise.all(ended), ["SIGKILL", "SIGKILL"]);
  });

  it("is nothing if everything has gone in time", async () => {
    const folder = tempFolder();
    const child = spawn("cat", [], { env: { ...process.env, HOME: `${folder}/home` } });
    const looking = endLeftovers(folder, PATIENCE_MS);
    child.stdin.end();
    assert.deepEqual(await looking, []);
  });
});
