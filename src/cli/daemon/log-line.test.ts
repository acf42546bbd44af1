import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { plain } from "../base/output.ts";
import { logLine } from "./log-line.ts";

describe("a line of the daemon's log", () => {
  const at_ms = new Date(2026, 6, 3, 14, 3, 22).getTime();

  it("shows time, level, message and fields", () => {
    const line = JSON.stringify({
      at_ms,
      level: "info",
      message: "started",
      version: "0.1.0",
      pid: 7,
      took: null,
    });
    assert.equal(logLine(line, plain), "2026-07-03 14:03:22  info   started  version=0.1.0 pid=7 took=null");
  });

  it("quotes a field that contains spaces", () => {
    const line = JSON.stringify({ at_ms, level: "warn", message: "slow", error: "no space left" });
    assert.equal(logLine(line, plain), '2026-07-03 14:03:22  warn   slow  error="no space left"');
  });

  it("is shown as is, made safe, if it was cut off", () => {
    assert.equal(logLine('{"at_ms":1,"lev\u001b[2J', plain), '{"at_ms":1,"lev␛[2J');
  });
});
