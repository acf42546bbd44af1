import assert from "node:assert/strict";
import os from "node:os";
import { it, onTestFinished, vi } from "vitest";
import { loadConfig } from "./config.ts";

it("does without a home, where the user id has none", () => {
  const spy = vi.spyOn(os, "homedir").mockImplementation(() => {
    throw new Error("uv_os_homedir returned ENOENT");
  });
  onTestFinished(() => spy.mockRestore());
  const { home, stateDir, settings } = loadConfig({ OJ_STATE_DIR: "/var/oj" }, "/");
  assert.deepEqual([home, stateDir, settings.log.level], ["/", "/var/oj", "info"]);
  assert.equal(loadConfig({ HOME: "/home/ana" }, "/").stateDir, "/home/ana/.local/state/oj");
});
