import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decision } from "../../test/fakes/fake-client.ts";
import { desk, resolved } from "../../test/fakes/inbox.ts";
import { read } from "./answer.ts";
import { editedWords, editText, inputWith, leftAs } from "./edit.ts";
import { formOf } from "./model.ts";
import { recipients } from "./send.ts";

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
    asks("Bash", { command: "ls" }, { action: { ...bash.action, as_is: true } }),
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

describe("in the inbox", () => {
  const approval = { ...bash, id: "dec-aaaaaaaaaa" as const };

  it("E asks for the text, and the changed text goes with Approve", () => {
    const it = desk(approval);
    it.press("E");
    assert.deepEqual(it.effects, [{ type: "edit", id: approval.id, text: "rm -rf build", ending: ".sh" }]);
    it.put({ type: "saw", id: approval.id, rest: 0 });
    it.put({ type: "edited", id: approval.id, text: "ls build\n" });
    it.press("enter");
    const input = { command: "ls build", description: "Clean up" };
    assert.deepEqual(it.effects.slice(1), [
      { type: "resolve", id: approval.id, body: { choices: [[1]], text: null, message: null, input } },
    ]);
  });

  it.each(["rm -rf build\n", null])("text that is as it was chooses nothing: %j", (text) => {
    const it = desk(approval);
    it.put({ type: "edited", id: approval.id, text });
    it.press("enter");
    assert.deepEqual(it.effects, []);
  });

  it("goes with the one that was changed, also if others are alike", () => {
    const it = desk(approval, { ...approval, id: "dec-cccccccccc" as const });
    const to = () => {
      const decision = it.inbox.details.get(approval.id) ?? assert.fail();
      return recipients(it.inbox, read(decision, formOf(it.inbox, approval.id)));
    };
    it.press("1");
    assert.equal(to()?.length, 2);
    it.put({ type: "edited", id: approval.id, text: "ls build" });
    assert.deepEqual(to(), [approval.id]);
    it.press("enter");
    assert.deepEqual(
      it.effects.map((one) => one.type === "resolve" && one.id),
      [approval.id],
    );
  });

  it("an editor that changes nothing leaves an earlier change as it is", () => {
    const it = desk(approval);
    it.put({ type: "edited", id: approval.id, text: "ls build\n" });
    const left = leftAs(formOf(it.inbox, approval.id), "ls build\n", "ls build\n");
    it.put({ type: "edited", id: approval.id, text: left });
    assert.equal(editedWords(it.inbox, approval.id), "changed: Enter approves it as you changed it");
    it.press("enter");
    const [effect] = it.effects;
    assert.ok(effect?.type === "resolve");
    assert.deepEqual(effect.body.input, { command: "ls build", description: "Clean up" });
  });

  it("says what became of a text that comes back from an editor", () => {
    const it = desk(approval);
    const words = (text: string | null) => {
      it.put({ type: "edited", id: approval.id, text });
      return editedWords(it.inbox, approval.id);
    };
    assert.equal(words(null), "nothing was changed");
    assert.equal(words("ls"), "changed: Enter approves it as you changed it");
    assert.equal(words(" "), "the change can't be sent: nothing is left of it");
    it.hear(resolved(approval.id));
    assert.match(words("ls"), /dec-aaaaaaaaaa no longer takes an answer: your change was not taken/);
  });

  it("a change does not go with Deny", () => {
    const it = desk(approval);
    it.put({ type: "edited", id: approval.id, text: "ls" });
    it.press("2", "enter");
    assert.deepEqual(it.effects, [
      { type: "resolve", id: approval.id, body: { choices: [[2]], text: null, message: null } },
    ]);
  });

  it("nothing is sent if nothing is left of it", () => {
    const it = desk(approval);
    it.put({ type: "saw", id: approval.id, rest: 0 });
    it.put({ type: "edited", id: approval.id, text: " " });
    it.press("1", "enter");
    assert.deepEqual(
      [it.effects, it.inbox.notice?.text],
      [[], "the change can't be sent: nothing is left of it"],
    );
  });

  it("a changed plan goes with an Accept that keeps the context, and with no other", () => {
    const keys = ["accept-clear", "accept-auto", "accept-manual", "revise"];
    const options = keys.map((key) => ({ key, label: key, acts: key !== "revise" }));
    const action = { tool: "ExitPlanMode", input: { plan: "# A", planFilePath: "/a.md" }, sha256: "x" };
    const plan = decision({ id: "dec-bbbbbbbbbb", source: "plan", action, options });
    const it = desk(plan);
    it.press("E");
    assert.deepEqual(it.effects, [{ type: "edit", id: plan.id, text: "# A", ending: ".md" }]);
    it.put({ type: "saw", id: plan.id, rest: 0 });
    it.put({ type: "edited", id: plan.id, text: "# B\n" });
    it.press("1", "enter");
    assert.match(it.inbox.notice?.text ?? "", /only with an Accept that keeps the context/);
    it.put({ type: "edited", id: plan.id, text: "# B, and tests\n" });
    it.press("enter");
    const input = { plan: "# B, and tests", planFilePath: "/a.md" };
    assert.deepEqual(it.effects.slice(1), [
      { type: "resolve", id: plan.id, body: { choices: [[3]], text: null, message: null, input } },
    ]);
  });

  it("E says so where nothing can be changed", () => {
    const it = desk(decision({ source: "idle" }));
    it.press("E");
    assert.match(it.inbox.notice?.text ?? "", /only an approval or a plan can be changed/);
  });

  it("offers no change to a client that takes none, and sends none", () => {
    const fixed = { ...approval, action: { ...approval.action, as_is: true } } as typeof approval;
    const it = desk(fixed);
    it.press("E");
    assert.match(it.inbox.notice?.text ?? "", /takes a Yes or a No, but no change/);
    it.put({ type: "saw", id: fixed.id, rest: 0 });
    it.put({ type: "edited", id: fixed.id, text: "ls build\n" });
    it.press("1");
    it.press("enter");
    const body = { choices: [[1]], text: null, message: null };
    assert.deepEqual(it.effects.at(-1), { type: "resolve", id: fixed.id, body });
  });
});
