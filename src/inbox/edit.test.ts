import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decision } from "../../test/fakes/fake-client.ts";
import { editText, inputWith } from "./edit.ts";

const APPROVE = [
  { key: "approve", label: "Approve" },
  { key: "deny", label: "Deny" },
];
const asks = (tool: string, input: object, more: object = {}) =>
  decision({ source: "approval", action: { tool, input, sha256: "x" }, options: APPROVE, ...more });
const bash = asks("Bash", { command: "rm -rf build", description: "Clean up" });

describe("what is edited", () => {
  it.each([
    [bash, "rm -rf build", "command"],
    [asks("Edit", { file_path: "a", old_string: "x", new_string: "y\n" }), "y\n", "new_string"],
    [asks("Write", { file_path: "a", content: "text" }), "text", "content"],
    [asks("mcp__db__drop", { table: "users" }), '{\n  "table": "users"\n}\n', null],
  ])("is the text that matters, else all of it: %#", (it, text, key) => {
    assert.deepEqual([editText(it)?.text, editText(it)?.key], [text, key]);
  });

  it.each([
    decision({ source: "idle" }),
    asks("Bash", { command: "ls" }, { options: [{ key: "1", label: "Yes" }] }),
    asks("Bash", [1]),
    decision({ source: "approval", action: null, options: APPROVE }),
  ])("is nothing if no change is possible: %#", (it) => assert.equal(editText(it), null));
});

describe("the edited text", () => {
  const drop = asks("mcp__db__drop", { table: "users" });
  it.each([
    [bash, "ls build\n", { input: { command: "ls build", description: "Clean up" } }],
    [bash, "ls build", { input: { command: "ls build", description: "Clean up" } }],
    [bash, "rm -rf build\n", { problem: "nothing was changed" }],
    [bash, " \n", { problem: "nothing is left of it" }],
    [drop, '{ "table": "logs" }', { input: { table: "logs" } }],
    [drop, '{"table":"users"}', { problem: "nothing was changed" }],
    [drop, "logs", { problem: "it is not a JSON object" }],
    [drop, "[]", { problem: "it is not a JSON object" }],
  ])("takes its place: %#", (it, text, result) => assert.deepEqual(inputWith(it, text), result));
});
