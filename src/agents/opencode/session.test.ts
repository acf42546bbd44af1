import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Prompt, Reply } from "../../core/model/agent-types.ts";
import { opencodeInstaller } from "./installer.ts";
import { isUnchanged, pluginText } from "./plugin.ts";
import { opencodeSession } from "./session.ts";

const read = (hook_event_name: string, more: object = {}) =>
  opencodeSession.read({ session_id: "ses_1", cwd: "/shop", hook_event_name, ...more });
const tool = { messageID: "msg_1", callID: "call_1" };
const bash = {
  id: "per_1",
  permission: "bash",
  patterns: ["ls", "pwd"],
  metadata: { command: "ls; pwd" },
  always: ["ls *"],
  tool,
};
const dialogOf = (more: object) => read("PermissionRequest", more)?.dialog ?? assert.fail("no dialog");

describe("a report of our plugin in opencode", () => {
  it("says what the session did", () => {
    const said = {
      SessionStart: "started",
      UserPromptSubmit: "prompted",
      PostToolUse: "ran",
      Stop: "stopped",
      SessionEnd: "ended",
      Anything: "other",
    };
    for (const [event, what] of Object.entries(said)) assert.equal(read(event)?.what, what, event);
    assert.equal(read("UserPromptSubmit", { woken: true })?.what, "woken", "what oj itself said");
    assert.equal(opencodeSession.read({ hook_event_name: "Stop" }), null);
    assert.equal(opencodeSession.read({ hook_event_name: "Stop", session_id: "x".repeat(201) }), null);
  });

  it("asks about a command as one, by the request's own id, and ends it by the call's", () => {
    const asked = read("PermissionRequest", { permission: bash });
    const { key, kind, tool: name, input } = asked?.dialog ?? assert.fail();
    assert.deepEqual([key, kind, name, input], ["per_1", "approval", "Bash", { command: "ls; pwd" }]);
    assert.equal(asked?.tool, read("PostToolUse", { tool_use_id: "call_1" })?.tool);
  });

  it("asks about anything else with all that opencode says about it", () => {
    const metadata = { filepath: "/shop/a", diff: "-one\n+two\n" };
    const edit = { ...bash, permission: "edit", patterns: ["a"], metadata };
    const shown = dialogOf({ permission: edit });
    assert.deepEqual([shown.tool, shown.input], ["edit", { file_path: "/shop/a", diff: "-one\n+two\n" }]);
    const fetch = {
      ...bash,
      permission: "webfetch",
      patterns: ["https://a"],
      metadata: { url: "https://a" },
    };
    assert.deepEqual(dialogOf({ permission: fetch }).input, { patterns: ["https://a"], url: "https://a" });
  });

  it("asks its questions", () => {
    const options = [{ label: "Pg", description: "big" }, { label: "Lite" }];
    const questions = [{ question: "Which db?", header: "DB", multiple: true, options }];
    const { kind, questions: asked } = dialogOf({ question: { id: "que_1", questions, tool } });
    assert.equal(kind, "question");
    assert.deepEqual(asked, [
      {
        question: "Which db?",
        header: "DB",
        multi_select: true,
        options: [
          { label: "Pg", description: "big" },
          { label: "Lite", description: null },
        ],
      },
    ]);
  });

  it("is refused if it makes no sense", () => {
    const bad: object[] = [
      {},
      { permission: { ...bash, id: "" } },
      { question: { id: "que_1", questions: [{ question: "" }] } },
      { question: { id: "que_1", questions: ["?"] } },
      { question: { id: "que_1", questions: [{ question: "Which?", options: [{ label: 1 }] }] } },
    ];
    for (const more of bad) assert.throws(() => read("PermissionRequest", more), JSON.stringify(more));
  });

  it("takes words as context, and at the end of a turn as a prompt", () => {
    assert.deepEqual(read("PostToolUse")?.tell("Hi"), { context: "Hi" });
    assert.deepEqual(read("Stop")?.tell("Hi"), { prompt: "Hi" });
  });
});

describe("an answer to opencode", () => {
  const prompt = dialogOf({ permission: bash });
  const reply = (it: Reply, to: Prompt = prompt) => opencodeSession.reply(to, it);
  const edit = { input: { command: "ls" }, told: "changed" };

  it("is its own reply; what it has no place for is none", () => {
    assert.deepEqual(reply({ type: "approve", message: "please" }), { reply: { reply: "once" } });
    assert.deepEqual(reply({ type: "deny", message: "not now" }), {
      reply: { reply: "reject", message: "not now" },
    });
    assert.deepEqual(reply({ type: "deny", message: null }), {
      reply: { reply: "reject", message: "The user denied this." },
    });
    assert.equal(reply({ type: "approve", message: null, edit }), null);
    assert.equal(reply({ type: "accept", mode: "auto", message: null }), null);
  });

  it("has every label, own words and notes, each where its question is, and each once", () => {
    const answer = { question: "Which?", labels: ["Pg", "Lite"], text: null };
    const own = { question: "And?", labels: [], text: "mine" };
    assert.deepEqual(reply({ type: "answers", answers: [answer, own], message: "hurry" }), {
      reply: { answers: [["Pg", "Lite", "hurry"], ["mine"]] },
    });
    assert.deepEqual(reply({ type: "answers", answers: [own], message: "mine" }), {
      reply: { answers: [["mine"]] },
    });
  });
});

describe("oj init opencode", () => {
  const wanted = { hold: false, soft: false, wait_s: null };
  const { put, take } = opencodeInstaller;

  it("writes a program that says how long a stop waits, and knows it again", () => {
    const text = put(null, wanted);
    assert.match(text, /^\/\/ oj init opencode [0-9a-f]{64}\n/);
    assert.match(text, /const STOP = \{"stops":true,"wait_s":604800\};/);
    assert.match(put(null, { hold: true, soft: false, wait_s: 60 }), /"hold":true,"wait_s":60\}/);
    assert.ok(!/__[A-Z]+__/.test(text), "everything is filled in");
    assert.ok(isUnchanged(text));
    assert.equal(put(text, wanted), text);
    assert.equal(take(text), null);
  });

  it("leaves alone what somebody else wrote or changed", () => {
    const theirs = "export const mine = () => {};\n";
    assert.equal(take(theirs), theirs);
    assert.throws(() => put(theirs, wanted), /not our plugin/);
    const changed = `${pluginText(wanted)}// mine\n`;
    assert.throws(() => take(changed), /somebody has changed/);
    assert.throws(() => put(changed, wanted), /somebody has changed/);
  });
});
