import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { agentAtWork } from "../../../test/fakes/agents.ts";
import type { Reply } from "../../core/model/agent-types.ts";
import { program } from "./client.ts";

const options = [
  { label: "Yes", keys: "y Enter" },
  { label: "No", keys: "n" },
];
const asking = (match: string, screen: string) =>
  program.declared(agentAtWork({ prompts: [{ match, options }] }).agent(), screen);
const yes: Reply = { type: "keys", label: "Yes", keys: "y Enter" };

describe("a declared prompt", () => {
  it("is what a pattern finds in the last line, with all of its lines", () => {
    const found = asking("Delete[^?]*\\?", "one\nDelete all of\nthe files? ");
    assert.ok(found);
    assert.deepEqual([found.kind, found.choices], ["approval", options]);
    assert.equal((found.input as { prompt: string }).prompt, "Delete all of\nthe files?");
    assert.equal(asking("Delete.*\\?", "Delete it? y\nDeleted."), null, "it was answered");
    assert.equal(asking("Really?", "Sure? Really?")?.tool, "prompt");
  });

  it("that is not a regular expression is searched for literally", () => {
    assert.ok(asking("Go on (y/n", "Go on (y/n) "));
    assert.equal(asking("Go on (y/n", "Go on (y/n) n\nDone."), null);
  });

  it("has a key of its own, even if it looks just like the last one", () => {
    const { agent } = agentAtWork({ prompts: [{ match: "Sure\\?", options }] });
    const [first, next] = [1, 2].map((changed_at_ms) =>
      program.declared({ ...agent(), changed_at_ms }, "Sure? "),
    );
    assert.notEqual(first?.key, next?.key);
    assert.equal(first?.sha256, next?.sha256);
  });

  it("gets keys while the screen ends with it, and none once it shows something else", () => {
    const screen = "Delete staging? ";
    const prompt = asking("Delete .*\\?", screen);
    assert.ok(prompt);
    const keys = (shown: string) => program.keys(prompt, yes, shown, []);
    assert.deepEqual(keys(`${screen}\n\n`), { type: "press", keys: ["y", "Enter"], sends: true });
    assert.deepEqual(keys(`${screen}y\nDelete production? `), { type: "wait" });
    assert.deepEqual(keys("Delete production? "), { type: "wait" });
    const pressed = { type: "press" as const, keys: ["y", "Enter"] };
    assert.deepEqual(program.keys(prompt, yes, "Deleted.", [pressed]), { type: "done" });
  });
});
