import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { geminiInstaller } from "./installer.ts";
import { geminiSession } from "./session.ts";
import { sessionHooks } from "./session-hooks.ts";

const read = (hook_event_name: string, more: object = {}) =>
  geminiSession.read({ session_id: "s1", cwd: "/shop", hook_event_name, ...more });

describe("a hook of a Gemini session", () => {
  it("says what the session did", () => {
    const said = {
      SessionStart: "started",
      BeforeAgent: "prompted",
      AfterTool: "ran",
      AfterAgent: "stopped",
      SessionEnd: "ended",
      Notification: "other",
      BeforeTool: "other",
      PreCompress: "other",
    };
    for (const [event, what] of Object.entries(said)) assert.equal(read(event)?.what, what, event);
    assert.equal(geminiSession.read({ hook_event_name: "AfterAgent" }), null);
    assert.equal(geminiSession.read({ hook_event_name: "AfterAgent", session_id: "x".repeat(201) }), null);
  });

  it("knows a prompt that is our own reason to go on", () => {
    const { reason } = geminiSession.block("offer a decision") as { reason: string };
    assert.equal(read("BeforeAgent", { prompt: reason })?.what, "woken");
    const told = read("AfterAgent")?.tell("The answer is B") as { decision: string; reason: string };
    assert.equal(told.decision, "block");
    assert.equal(read("BeforeAgent", { prompt: told.reason })?.what, "woken");
  });

  it("has its last words at the end of all that it said", () => {
    const long = `${"old ".repeat(2000)}Shall I?`;
    const { last_message } = read("AfterAgent", { prompt_response: long }) ?? assert.fail();
    assert.equal(last_message.length, 2000);
    assert.match(last_message, /Shall I\?$/);
  });

  it("takes words with a prompt or a result as context", () => {
    assert.deepEqual(read("AfterTool")?.tell("Hi"), {
      hookSpecificOutput: { hookEventName: "AfterTool", additionalContext: "Hi" },
    });
  });

  it("can answer no dialog", () => {
    const prompt = {
      key: "k",
      kind: "approval",
      tool: "Bash",
      input: {},
      sha256: "",
      questions: [],
      choices: [],
    };
    assert.equal(geminiSession.reply(prompt as never, { type: "approve", message: null }), null);
  });
});

describe("oj init gemini", () => {
  const wanted = { hold: false, soft: false, wait_s: 600 };

  it("gives each hook a name, and its time in milliseconds", () => {
    const { AfterAgent, AfterTool } = sessionHooks(wanted);
    assert.deepEqual([AfterAgent?.hooks[0]?.name, AfterAgent?.hooks[0]?.timeout], ["oj", 605_000]);
    assert.equal(AfterTool?.matcher, "*");
    assert.match(AfterAgent?.hooks[0]?.command ?? "", /of=gemini.*wait_s=600.*# oj init gemini$/);
  });

  it("writes commands that mean the same after Gemini has filled in variables", () => {
    const anything = (text: string) =>
      text.replace(/\$(?:(\w+)|{([^}]+?)(?::-([^}]*))?})/g, (found, bare, braced) =>
        /^\w+$/.test(bare ?? braced) ? "FILLED" : found,
      );
    for (const [event, { hooks }] of Object.entries(sessionHooks(wanted)))
      for (const { command } of hooks) assert.equal(anything(command), command, event);
  });

  it("adds hooks to the settings that are there, and removes them without a trace", () => {
    const { put, take } = geminiInstaller;
    const hooks = { AfterTool: [{ matcher: "x", hooks: [{ type: "command", command: "theirs" }] }] };
    for (const text of ["{}", `{\n\t"ui": { "theme": "x" }\n}`, JSON.stringify({ hooks }), "{ // mine\n}\n"])
      assert.equal(take(put(text, wanted)), text);
    assert.equal(take(put(null, wanted)), null);
  });
});
