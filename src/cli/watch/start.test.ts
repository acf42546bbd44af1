import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { CommandView } from "../../api/api.ts";
import type { Key } from "../base/keys.ts";
import { plain } from "../base/output.ts";
import type { Run, Start } from "./start.ts";
import { paramsOf, STARTING, startKey } from "./start.ts";
import { startPane } from "./start-pane.ts";

const command = (name: string, usage: string): CommandView => ({
  name,
  usage,
  description: null,
  path: "r.hcl",
  line: 1,
});
const feature = command("feature", "<name> [base] [--draft] --to <branch>");
const commands = [command("release", ""), feature];

function press(start: Start | null, ...keys: string[]): { start: Start | null; run: Run | null } {
  let now: { start: Start | null; run: Run | null } = { start, run: null };
  for (const name of keys) {
    const key: Key = name === "enter" || name === "escape" ? { type: name } : { type: "text", text: name };
    if (now.start) now = startKey(now.start, key);
  }
  return now;
}

describe("starting from the inbox", () => {
  it("reads what to ask for from the usage", () => {
    assert.deepEqual(paramsOf(feature), [
      { name: "name", kind: "value", isRequired: true },
      { name: "base", kind: "value", isRequired: false },
      { name: "draft", kind: "flag", isRequired: false },
      { name: "to", kind: "value", isRequired: true },
    ]);
  });

  it("runs what has no arguments at once", () => {
    const { start, run } = press({ ...STARTING, commands }, "enter");
    assert.deepEqual([start, run], [null, { command: "release", argv: [], named: {} }]);
  });

  it("asks for each argument, and takes no empty one where it is required", () => {
    const asking = press(
      { ...STARTING, commands },
      "j",
      "enter",
      "enter",
      "l",
      "o",
      "g",
      "enter",
      "enter",
      "y",
    );
    assert.deepEqual(asking.start?.given, ["log", ""]);
    const pane = startPane(asking.start ?? STARTING, { width: 80, height: 20 }, { style: plain, now: 0 });
    assert.match(
      pane.lines.join("\n"),
      /oj run feature <name>[\s\S]*name: log[\s\S]*draft \(y, or nothing\): y▏/,
    );
    const { run } = press(asking.start, "enter", "enter", "m", "enter");
    assert.deepEqual(run, { command: "feature", argv: ["--draft"], named: { name: "log", to: "m" } });
  });

  it("can be left: first the arguments, then the list", () => {
    const { start } = press({ ...STARTING, commands }, "j", "enter", "x", "escape");
    assert.equal(start?.given, null);
    assert.equal(press(start, "escape").start, null);
  });
});
