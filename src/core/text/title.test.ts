import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { approval, plan, question, questions } from "../../../test/fakes/agents.ts";
import { gateTitle, promptTitle, stoppedTitle, titled } from "./title.ts";

const of = (tool: string, input: unknown) => promptTitle({ ...approval, tool, input }, "/shop");

const patch = (...lines: string[]) => ({
  command: ["*** Begin Patch", ...lines.map((it) => `*** ${it}`), "*** End Patch"].join("\n"),
});

describe("the title of what an agent wants to do", () => {
  for (const [name, tool, input, title] of [
    ["a command", "Bash", { command: "git push --force", description: "Push" }, "Bash: git push --force"],
    ["several lines", "Bash", { command: "npm ci\n\nrm -rf /\n" }, "Bash (2 lines): npm ci"],
    ["its own folder", "Bash", { command: "cd /shop && npm test" }, "Bash: npm test"],
    ["a file", "Write", { content: "x", file_path: "/shop/src/a.js" }, "Write: src/a.js"],
    ["a file elsewhere", "Edit", { file_path: "/shopping/a.js" }, "Edit: /shopping/a.js"],
    ["an address", "WebFetch", { url: "https://a.b", prompt: "Sum up" }, "WebFetch: https://a.b"],
    ["an unknown tool", "Move", { n: 3, issue: "AB-1" }, "Move: AB-1"],
    ["a server's tool", "mcp__jira__move_issue", { issue: "AB-1" }, "jira › move_issue: AB-1"],
    ["a server's tool without input", "mcp__my-db__dump__all", {}, "my-db › dump__all"],
    ["a name that only begins so", "mcp__jira", { issue: "AB-1" }, "mcp__jira: AB-1"],
    ["a patch", "apply_patch", patch("Add File: /shop/src/a.js"), "apply_patch: src/a.js"],
    [
      "a patch of several files",
      "apply_patch",
      patch("Update File: a.js", "Move to: b.js", "Delete File: c.js", "Update File: a.js"),
      "apply_patch (3 files): a.js, b.js, c.js (deleted)",
    ],
    ["a patch that names no file", "apply_patch", patch(), "apply_patch (2 lines): *** Begin Patch"],
    ["a patch as a shell's command", "Bash", patch("Add File: a"), "Bash (3 lines): *** Begin Patch"],
    ["no input", "Bash", null, "Bash"],
    ["an odd input", "Bash", { command: 7 }, "Bash"],
  ] as const)
    it(`describes ${name}`, () => assert.equal(of(tool, input), title));

  it("is one line, and no longer than a list can use", () => {
    const title = of(`B\na${"x".repeat(50)}`, { command: `${"😀".repeat(300)}\rgit push` });
    assert.ok([...title].length <= 200 && title.endsWith("…"), title);
    assert.ok(!/[\r\n]/.test(title), title);
  });
});

describe("the title of a question, a plan and a program's prompt", () => {
  it("is the question, with how many there are", () => {
    assert.equal(promptTitle(question, "/"), question.questions[0]?.question);
    assert.equal(promptTitle(questions, "/"), `2 questions: ${questions.questions[0]?.question}`);
  });
  it("is the plan's first line", () => {
    assert.equal(promptTitle(plan, "/"), "Plan: Do it");
    assert.equal(promptTitle({ ...plan, input: {} }, "/"), "Plan");
  });
  it("is the line that the program shows", () => {
    const choices = [{ label: "Yes", keys: "y" }];
    const input = { prompt: "Overwrite a? [y/n] ", screen: "" };
    assert.equal(promptTitle({ ...approval, choices, tool: "prompt", input }, "/"), "Overwrite a? [y/n]");
  });
});

describe("the title of an agent that stopped", () => {
  it("is what it asks at the end, or how its last message begins", () => {
    assert.equal(stoppedTitle("I looked.\n\nShall I go on?\n"), "Stopped: Shall I go on?");
    assert.equal(stoppedTitle("All   done.\nSee the tests."), "Stopped: All done.");
    assert.equal(stoppedTitle(" \n"), "Stopped without a word");
  });
});

describe("other titles", () => {
  it("name the gate and its exit code, and what was said", () => {
    assert.equal(gateTitle("npm test\necho", "exit code 1"), "Gate failed (exit code 1): npm test");
    assert.equal(titled("Asks for a person", ""), "Asks for a person");
    assert.equal(titled("rate_limited", "429\ntoo many"), "rate_limited: 429 too many");
  });
});
