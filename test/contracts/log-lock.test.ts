/** One daemon per state folder, even if the previous one was killed. */
import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { takeLock } from "../../src/adapters/sqlite/lock.ts";
import { bundled, tempDir } from "./log-support.ts";

describe("the lock of a state folder", () => {
  it("is held by one process at a time, and free again after release", async () => {
    const dir = tempDir();
    const lock = await takeLock(dir);
    await assert.rejects(takeLock(dir), {
      code: "daemon.already-running",
      message: `Another daemon is using ${dir}.`,
      hint: "oj daemon status",
    });
    await lock.release();
    await (await takeLock(dir)).release();
  });

  it("creates the folder if there is none", async () => {
    const dir = path.join(tempDir(), "state", "oj");
    await (await takeLock(dir)).release();
    assert.equal(fs.statSync(dir).mode & 0o777, 0o700);
  });

  it("is refused while another process holds it, and free once that process was killed", async () => {
    const dir = tempDir();
    const holder = await lockHolder(dir);
    await assert.rejects(takeLock(dir), { code: "daemon.already-running" });
    holder.kill("SIGKILL");
    await once(holder, "exit");
    await (await takeLock(dir)).release();
  });

  it("says so if the folder can't be created", async () => {
    const file = path.join(tempDir(), "file");
    fs.writeFileSync(file, "");
    await assert.rejects(takeLock(path.join(file, "state")), { code: "store.failed", message: /ENOTDIR/ });
  });
});

/** Another process that holds the lock until it ends. */
async function lockHolder(dir: string): Promise<ChildProcess> {
  const [lock] = await bundled(tempDir(), ["sqlite/lock"]);
  const script = `require(${JSON.stringify(lock)}).takeLock(${JSON.stringify(dir)})
    .then((lock) => { globalThis.lock = lock; console.log("locked"); setInterval(() => {}, 1000); });`;
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout as NodeJS.ReadableStream, "data");
  return child;
}
