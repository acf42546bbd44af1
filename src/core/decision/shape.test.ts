import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { shapeProblem } from "./shape.ts";

const BASH = { command: "rm -rf build", description: "Clean up", timeout: 1000 };
const EDITS = { file_path: "a.ts", edits: [{ old_string: "a", new_string: "b" }] };

describe("a changed input", () => {
  it.each([
    [BASH, { ...BASH, command: "ls" }, null],
    [BASH, { ...BASH, command: "" }, null],
    [BASH, { command: "ls" }, "description is missing"],
    [BASH, { ...BASH, run_in_background: true }, "run_in_background is not in the original"],
    [BASH, { ...BASH, timeout: "1000" }, "timeout must be a number, not a string"],
    [BASH, { ...BASH, command: null }, "command must be a string, not null"],
    [BASH, { ...BASH, command: ["ls"] }, "command must be a string, not a list"],
    [BASH, "ls", "the input must be an object, not a string"],
    [BASH, [BASH], "the input must be an object, not a list"],
    [EDITS, { ...EDITS, edits: [...EDITS.edits, { old_string: "c", new_string: "d" }] }, null],
    [EDITS, { ...EDITS, edits: [] }, null],
    [EDITS, { ...EDITS, edits: [{ old_string: "c" }] }, "edits[0].new_string is missing"],
    [EDITS, { ...EDITS, edits: ["x"] }, "edits[0] must be an object, not a string"],
    [{ list: [] }, { list: [1] }, "list was empty and must stay so"],
    [{ __proto__: 1, a: 1 }, { a: 2 }, null],
    [{ a: 1 }, JSON.parse('{"a":1,"__proto__":{}}'), "__proto__ is not in the original"],
  ])("%j → %j: %s", (before, after, problem) => {
    assert.equal(shapeProblem(before, after), problem);
  });
});
