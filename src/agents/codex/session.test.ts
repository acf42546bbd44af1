import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { withHooks, withoutHooks } from "../hooks-in-settings.ts";
import { codexInstaller } from "./installer.ts";
import { codexSession } from "./session.ts";
import { MARK } from "./setup.ts";

const common = { session_id: "s1", cwd: "/shop", turn_id: "t1", model: "m", transcript_path: "/r.jsonl" };
const call = { tool_name: "Bash", tool_input: { command: "ls", description: "May I?" } };
const read = (hook_event_name: string, more: object = {}) =>
  codexSession.read({ ...common, hook_event_name, ...more });

describe("a hook of a Codex session", () => {
  it("says what the session did", () => {
    const said = {
      SessionStart: "started",
      UserPromptSubmit: "prompted",
      PostToolUse: "ran",
      Stop: "stopped",
      Interrupt: "other",
    };
    for (const [event, what] of Object.entries(said)) assert.equal(read(event, call)?.what, what, event);
    assert.equal(read("Stop", { agent_id: "sub" })?.what, "other", "a subagent's turn is not the session's");
    assert.equal(codexSession.read({ hook_event_name: "Stop" }), null);
    assert.equal(codexSession.read({ ...common, session_id: "x".repeat(201) }), null);
  });

  it("asks about a call by the name that its end will have", () => {
    const asked = read("PermissionRequest", call);
    assert.deepEqual([asked?.what, asked?.dialog?.kind, asked?.dialog?.tool], ["asked", "approval", "Bash"]);
    assert.equal(asked?.tool, read("PostToolUse", { ...call, tool_input: { command: "ls" } })?.tool);
    assert.throws(() => read("PermissionRequest", { tool_name: "Bash", tool_input: "ls" }));
  });

  it("takes words with a prompt or a result as context, and at its end as a reason to go on", () => {
    assert.deepEqual(read("UserPromptSubmit")?.tell("Hi"), {
      hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "Hi" },
    });
    assert.deepEqual(read("Stop")?.tell("Hi"), { decision: "block", reason: "Hi" });
  });

  it("shows what the session said before its call, and nothing older", () => {
    const prompt = read("PermissionRequest", call)?.dialog ?? assert.fail();
    const line = (payload: object) => `${JSON.stringify({ timestamp: "", payload })}\n`;
    const said = { type: "message", role: "assistant", content: [{ type: "output_text", text: "I look." }] };
    assert.equal(codexSession.saidBefore(prompt, line(said)), null);
    const made = {
      type: "function_call",
      call_id: "c1",
      name: "exec_command",
      arguments: JSON.stringify({ cmd: "ls" }),
    };
    assert.equal(codexSession.saidBefore(prompt, line(said) + line(made)), "I look.");
  });
});

describe("oj init codex", () => {
  const wanted = { hold: false, soft: false, wait_s: null };

  it("hooks into permissions only while they are to wait, for as long as they may", () => {
    assert.ok(!codexInstaller.events(wanted).includes("PermissionRequest"));
    const held = JSON.parse(codexInstaller.put(null, { ...wanted, wait_s: 600 }));
    const [hook] = held.hooks.PermissionRequest[0].hooks;
    assert.match(hook.command, /curl -sf -m 600 .*&of=codex/);
    assert.equal(hook.timeout, 603);
  });

  it("restores every byte, and leaves the hooks of others, also those of another client", () => {
    const theirs = { hooks: [{ type: "command", command: "echo hi # oj init claude" }] };
    const before = `{"hooks":  {"Stop": [${JSON.stringify(theirs)}] } }`;
    const after = codexInstaller.put(before, wanted);
    assert.ok(after.includes(MARK));
    assert.equal(codexInstaller.take(after), before);
    assert.equal(codexInstaller.take(codexInstaller.put(null, wanted)), null);
    assert.equal(withoutHooks(withHooks(before, {}, MARK), MARK), before);
  });
});
