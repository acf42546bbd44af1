import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, it } from "vitest";
import { sweep } from "./sweep.ts";

describe("the sweep after a tour", () => {
  it.skipIf(process.platform !== "linux")("ends every process of the folder, and no other", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "oj-sweep-"));
    fs.writeFileSync(path.join(folder, "file"), "");
    const start = (env: Record<string, string>) =>
      spawn(process.execPath, ["-e", "setInterval(() => {}, 1000); console.log(1)"], {
        env,
        stdio: ["ignore", "pipe", "ignore"],
      });
    const [ours, other] = [start({ OJ_STATE_DIR: `${folder}/state` }), start({})];
    await Promise.all([once(ours.stdout, "data"), once(other.stdout, "data")]);
    const ended = once(ours, "exit");
    sweep(folder, null);
    assert.deepEqual(await ended, [null, "SIGKILL"]);
    assert.equal(fs.existsSync(folder), false);
    assert.equal(other.exitCode, null);
    other.kill("SIGKILL");
    await once(other, "exit");
  });
});
