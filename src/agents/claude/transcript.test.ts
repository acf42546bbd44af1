import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { readTranscripts } from "./transcript.ts";

const line = (type: string, content: unknown, more: object = {}) =>
  JSON.stringify({ type, isSidechain: false, message: { role: type, content }, ...more });
const says = (text: string, more?: object) => line("assistant", [{ type: "text", text }], more);
const calls = (id: string, name: string, input: object) =>
  line("assistant", [{ type: "tool_use", id, name, input }]);
const result = (tool_use_id: string) => line("user", [{ type: "tool_result", tool_use_id, content: "done" }]);
const read = (...lines: string[]) => readTranscripts(lines.join("\n"), []);

describe("the end of a conversation file", () => {
  it("has the calls without a result, exactly as they are asked about", () => {
    const question = { question: "Which?", header: "It", multiSelect: true, options: [{ label: "A" }] };
    const { open, ended } = read(
      line("user", "Begin."),
      calls("t1", "Bash", { command: "ls" }),
      result("t1"),
      calls("t2", "Bash", { command: "make" }),
      calls("t3", "AskUserQuestion", { questions: [question] }),
      calls("t4", "ExitPlanMode", { plan: "# Plan" }),
    );
    assert.deepEqual(
      open.map(({ key, kind, tool }) => [key, kind, tool]),
      [
        ["t2", "approval", "Bash"],
        ["t3", "question", "AskUserQuestion"],
        ["t4", "plan", "ExitPlanMode"],
      ],
    );
    assert.deepEqual(ended, [{ key: "t1", ran: true }]);
    assert.deepEqual(open[0]?.input, { command: "make" });
    assert.deepEqual(
      open[1]?.questions.map((it) => [it.question, it.multi_select]),
      [["Which?", true]],
    );
  });

  it("has a call that was made again before the one that a crash cut off", () => {
    const { open } = read(
      line("user", "Begin."),
      calls("t1", "Bash", { command: "make" }),
      line("user", "Go on."),
      calls("t2", "Bash", { command: "ls" }),
      result("t2"),
      calls("t3", "Bash", { command: "make" }),
      calls("t4", "Bash", { command: "make" }),
    );
    assert.deepEqual(
      open.map((it) => it.key),
      ["t3", "t4", "t1"],
    );
  });

  it("is an error, unless somebody said something after it", () => {
    const error = says("API Error: 429", { isApiErrorMessage: true, error: "rate_limit" });
    const kept = read(says("I begin."), error);
    assert.deepEqual(kept.error, { kind: "rate_limited", message: "API Error: 429" });
    assert.equal(kept.last_message, "I begin.");
    assert.equal(read(error, line("user", "Go on.")).error, null);
    assert.equal(read(error, says("Well.")).error, null);
  });

  it("may be cut off, strange or empty: whatever can be read counts", () => {
    const whole = calls("t1", "Bash", { command: "ls" });
    const strange = [
      "",
      "null",
      "[]",
      '{"type":"assistant"}',
      '{"type":"user","message":{"content":[1,null]}}',
      "{",
    ];
    assert.equal(read(whole.slice(9), ...strange, whole, whole.slice(0, 30)).open.length, 1);
    const subagent = line("assistant", [{ type: "tool_use", id: "t9", name: "Bash", input: {} }], {
      isSidechain: true,
    });
    assert.deepEqual(read(subagent), { open: [], ended: [], last_message: "", begun: false, error: null });
    assert.deepEqual(
      readTranscripts(whole, [subagent]).open.map((it) => it.key),
      ["t1", "t9"],
      "but are found in its own file",
    );
    const nameless = line("assistant", [{ type: "tool_use", name: 7, input: "x" }]);
    assert.deepEqual(read(nameless).open, []);
  });
});
