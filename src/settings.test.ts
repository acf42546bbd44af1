import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { readSettings } from "./settings.ts";

function read(text: string) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "oj-settings-"));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  fs.writeFileSync(path.join(folder, "config.toml"), text);
  const { settings } = readSettings(path.join(folder, "config.toml"), false);
  return JSON.parse(JSON.stringify(settings)) as unknown;
}

describe("what a settings file says", () => {
  it("is read whatever editor wrote it", () => {
    assert.deepEqual(read('\ufeff[log]\r\nlevel = "debug"\r\n'), { log: { level: "debug" } });
    assert.deepEqual(read("[store]\nkeep_events = 5_000.0\n"), { store: { keep_events: 5000 } });
  });

  it("is refused where half of it would mean nothing", () => {
    for (const key of ["keep_events", "snapshot_every"])
      assert.throws(() => read(`[store]\n${key} = 5.5\n`), {
        message: new RegExp(`store.${key} must be a whole number above 0$`),
      });
    assert.throws(() => read("[limits]\nstreams = 0.5\n"), /whole number/);
    assert.deepEqual(read("[log]\nmax_mb = 0.5\n"), { log: { max_mb: 0.5 } });
  });

  it("is refused where it has no end, or is no number", () => {
    for (const value of ["inf", "-inf", "nan"]) {
      assert.throws(() => read(`[undo]\nweb_s = ${value}\n`), /undo.web_s must be a number from 0 up/);
      assert.throws(() => read(`[jobs]\nkill_after_s = ${value}\n`), /must be a number above 0/);
    }
  });

  it("names the levels of the log", () => {
    assert.throws(
      () => read('[log]\nlevel = "warning"\n'),
      /log.level must be one of debug, info, warn, error/,
    );
  });
});
