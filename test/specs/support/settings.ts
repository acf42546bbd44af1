/** Settings of a test's own. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import type { Given } from "./project.ts";

/** Answers from both inboxes go out after so many seconds. */
export function undoAfter(seconds: number): Given {
  return settingsWith(`[undo]\nweb_s = ${seconds}\nwatch_s = ${seconds}\n`);
}

/** The person's own settings file. */
export function settingsWith(text: string): Given {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "oj-config-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  fs.mkdirSync(path.join(folder, "oj"));
  fs.writeFileSync(path.join(folder, "oj/config.toml"), text);
  return { env: { XDG_CONFIG_HOME: folder } };
}
