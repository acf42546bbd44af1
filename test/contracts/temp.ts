/** A temporary folder that is removed when the test has ended. */
import { randomUUID } from "node:crypto";
import fs from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import type { RunId } from "../../src/core/model/ids.ts";

export async function tempFolder(): Promise<string> {
  const folder = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), "oj-test-")));
  onTestFinished(() => fs.rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Waits for a condition, not for a duration. */
export async function until(condition: () => boolean | Promise<boolean>, withinMs = 60_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** A run that no other test has: a shell ends every process on the machine that carries the run's id. */
export function aRun(): RunId {
  return `run-${randomUUID()}`;
}
