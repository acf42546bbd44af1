import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { forever } from "../../../../test/fakes/forever.ts";
import { call, hookedAgent } from "../../../../test/fakes/hooked-agent.ts";
import { settled } from "../../../../test/fakes/settled.ts";

describe("hooks", () => {
  it("keep a permission request open until it is answered", async () => {
    const { send, agent, pending, openHooks, id } = await hookedAgent();
    await send(call("PreToolUse", "rm x"));
    let reply: object | null = null;
    const asking = send(call("PermissionRequest", "rm x")).then((it) => (reply = it));
    await settled();
    const [decision] = await pending();
    assert.deepEqual(
      [decision?.source, decision?.action?.input, reply],
      ["approval", { command: "rm x" }, null],
    );
    assert.match(decision?.context ?? "", /the last line/);
    openHooks.answer(id, (await agent()).prompt?.key ?? "", { body: { ok: true }, call: null });
    await asking;
    assert.deepEqual(reply, { ok: true });
  });

  it("are not open for an answer if the dialog could not be recorded", async () => {
    const { send, openHooks, id, ports } = await hookedAgent();
    await send(call("PreToolUse", "rm x"));
    ports.log.failNext(new Error("the disk is full"));
    await assert.rejects(send(call("PermissionRequest", "rm x")), /the disk is full/);
    assert.equal(openHooks.has(id, "t1"), false);
  });

  it("refuse a call that was approved and then tries to run as something else", async () => {
    const { send, agent, openHooks, id } = await hookedAgent();
    await send(call("PreToolUse", "ls"));
    const asking = send(call("PermissionRequest", "ls"));
    await settled();
    openHooks.answer(id, (await agent()).prompt?.key ?? "", { body: { ok: true }, call: null });
    await asking;
    assert.deepEqual(await send(call("PreToolUse", "ls")), {});
    const refused = (await send(call("PreToolUse", "rm -rf /"))) as {
      hookSpecificOutput?: { permissionDecision?: string };
    };
    assert.equal(refused.hookSpecificOutput?.permissionDecision, "deny");
    assert.deepEqual(await send(call("PreToolUse", "rm -rf /", "t2")), {}, "another call asks for itself");
  });

  it("ask about several dialogs one after the other, each matched to its own call", async () => {
    const { send, agent, pending, openHooks, id } = await hookedAgent();
    await send(call("PreToolUse", "cat x", "t1"));
    await send(call("PreToolUse", "cat y", "t2"));
    const both = ["cat x", "cat y"].map((command, n) =>
      send(call("PermissionRequest", command, "")).then((it) => [["first", "second"][n], it]),
    );
    await settled();
    assert.deepEqual([(await agent()).prompt?.key, (await pending()).length], ["t1", 1]);
    openHooks.answer(id, "t1", { body: { ok: 1 }, call: null });
    assert.deepEqual(await both[0], ["first", { ok: 1 }]);
    await settled();
    assert.equal((await agent()).prompt?.key, "t2");
    await send(call("PostToolUse", "cat x", "t1"));
    assert.equal((await agent()).prompt?.key, "t2", "the other dialog is still open");
    await send(call("PostToolUse", "cat y", "t2"));
    assert.equal((await agent()).status, "working");
    assert.deepEqual(await both[1], ["second", {}], "answered in the terminal");
    assert.deepEqual(await pending(), []);
  });

  it("forget a queued dialog whose connection breaks", async () => {
    const { send, agent, pending, openHooks, id } = await hookedAgent();
    const gone = new AbortController();
    const first = send(call("PermissionRequest", "a"));
    const second = send(call("PermissionRequest", "b"), gone.signal);
    await settled();
    gone.abort();
    openHooks.answer(id, (await agent()).prompt?.key ?? "", { body: { ok: 1 }, call: null });
    await Promise.all([first, second]);
    assert.equal((await pending()).length, 1, "nothing was asked about the second");
  });

  it("ask nothing about a queued call that was answered in the terminal meanwhile", async () => {
    const { send, agent, pending, openHooks, id } = await hookedAgent();
    for (const use of ["t1", "t2"]) await send(call("PreToolUse", "cat x", use));
    const [first, second] = [
      send(call("PermissionRequest", "cat x")),
      send(call("PermissionRequest", "cat x")),
    ];
    await settled();
    await send(call("PostToolUse", "cat x", "t2"));
    openHooks.answer(id, "t1", { body: { ok: 1 }, call: null });
    assert.deepEqual([await first, await second], [{ ok: 1 }, {}]);
    assert.equal((await agent()).prompt?.key, "t1");
    assert.equal((await pending()).length, 1);
  });

  it("recognize a call by its id, since its input changes on the way", async () => {
    const { send, agent } = await hookedAgent();
    const plan = (event: string, tool_input: object) =>
      send({ hook_event_name: event, tool_name: "ExitPlanMode", tool_input, tool_use_id: "t1" });
    await plan("PreToolUse", { plan: "p", planFilePath: "f" });
    const asking = plan("PermissionRequest", { plan: "p", planFilePath: "f" });
    await settled();
    assert.equal((await agent()).status, "prompting");
    await plan("PostToolUse", {});
    await asking;
    assert.equal((await agent()).status, "working");
  });

  it("report no end if the agent keeps working after its dialog closed", async () => {
    const { send, agent, pending, clock, shown } = await hookedAgent();
    const gone = new AbortController();
    const asking = send(call("PermissionRequest", "ls"), gone.signal);
    await settled();
    gone.abort();
    await asking;
    const rule = "─".repeat(40);
    shown.screen = `✽ Hatching… (5s)\n${rule}\n❯ \n${rule}\n  esc to interrupt`;
    clock.pass(1500);
    await settled();
    assert.equal((await agent()).status, "working");
    assert.deepEqual(await pending(), []);
  });

  it("close the question when the connection breaks: it was refused in the terminal", async () => {
    const { send, agent, pending, clock } = await hookedAgent();
    const gone = new AbortController();
    const asking = send(call("PermissionRequest", "ls"), gone.signal);
    await settled();
    gone.abort();
    await asking;
    clock.pass(1500);
    await settled();
    assert.equal((await agent()).status, "idle");
    assert.deepEqual(
      (await pending()).map((it) => it?.source),
      ["idle"],
    );
  });

  it("say nothing about the agent when the daemon stops", async () => {
    const { send, agent, hooks } = await hookedAgent();
    const gone = new AbortController();
    const asking = send(call("PermissionRequest", "ls"), gone.signal);
    await settled();
    hooks.stop();
    gone.abort();
    await asking;
    assert.equal((await agent()).status, "prompting");
  });

  it("cost no commit for a tool call that nobody asked about", async () => {
    const { send, engine } = await hookedAgent();
    const before = engine.seq();
    for (const event of ["PreToolUse", "PostToolUse"]) await send(call(event, "ls"));
    await send({ hook_event_name: "PostToolBatch", tool_calls: [call("", "ls")] });
    assert.equal(engine.seq(), before);
  });

  it("know the conversation once something was said in it", async () => {
    const { send, agent } = await hookedAgent();
    await send({ hook_event_name: "SessionStart", source: "startup", session_id: "new" });
    assert.equal((await agent()).conversation, "s", "it may have no transcript yet");
    await send({ hook_event_name: "SessionStart", source: "clear", session_id: "cleared" });
    assert.equal((await agent()).conversation, "cleared");
  });

  it("stop waiting with a plan that was accepted with a cleared context, and ask about the next", async () => {
    const { send, agent, pending, openHooks, id } = await hookedAgent();
    const plan = (event: string, use: string, session_id: string) =>
      send({
        ...{ hook_event_name: event, tool_name: "ExitPlanMode", tool_input: { plan: use } },
        ...{ tool_use_id: use, session_id },
      });
    await plan("PreToolUse", "t1", "s");
    let given: object | null = null;
    void plan("PermissionRequest", "t1", "s").then((it) => (given = it));
    await settled();
    await send({ hook_event_name: "SessionStart", source: "clear", session_id: "s2" });
    await settled();
    assert.deepEqual([given, openHooks.has(id, "t1")], [{}, false], "its connection may stay open");
    assert.equal((await agent()).status, "working");
    await plan("PreToolUse", "t2", "s2");
    void plan("PermissionRequest", "t2", "s2");
    await settled();
    assert.deepEqual(
      (await pending()).map((it) => it?.prompt_key),
      ["t2"],
    );
  });

  it("provide the text to start with", async () => {
    const { send } = await hookedAgent();
    assert.deepEqual(await send({ hook_event_name: "SessionStart", source: "resume" }), {
      hookSpecificOutput: { hookEventName: "SessionStart", additionalContext: "primed for resume" },
    });
  });

  it("ignore what they don't know, and refuse what makes no sense", async () => {
    const { hooks, id, engine } = await hookedAgent();
    const before = engine.seq();
    const call = { tool_name: "Bash", tool_input: { command: "x" } };
    for (const body of [{ hook_event_name: "Nope" }, { hook_event_name: "PostToolBatch", tool_calls: "x" }])
      assert.deepEqual(await hooks.handle(id, body, forever), {});
    for (const [body, why] of [
      [null, /JSON object/],
      [7, /JSON object/],
      [[], /JSON object/],
      [{}, /hook_event_name is missing/],
      [{ hook_event_name: 1 }, /hook_event_name is missing/],
      [{ hook_event_name: "PreToolUse", ...call }, /PreToolUse has no tool_use_id/],
      [{ hook_event_name: "PreToolUse", tool_use_id: "t" }, /PreToolUse has no tool_name/],
      [{ hook_event_name: "PermissionRequest", ...call, tool_name: {} }, /has no tool_name/],
      [{ hook_event_name: "PermissionRequest", ...call, tool_input: "x" }, /tool_input of PermissionRequest/],
    ] as const)
      await assert.rejects(hooks.handle(id, body, forever), { code: "request.invalid", message: why });
    assert.equal(engine.seq(), before);
  });

  it("ask about unreadable questions as about any other call, with everything in it", async () => {
    const { send, pending } = await hookedAgent();
    const fine = { question: "Which?", options: [{ label: "A" }, { label: "B" }] };
    for (const questions of [[], "x", [fine, 7], [fine, { question: "No options?", options: [] }]]) {
      const tool_input = { questions };
      const body = { hook_event_name: "PermissionRequest", tool_name: "AskUserQuestion", tool_input };
      const leaving = new AbortController();
      const answer = send(body, leaving.signal);
      await settled();
      const [asked] = await pending();
      assert.equal(asked?.source, "approval");
      assert.deepEqual(asked?.action?.input, tool_input);
      await send({ hook_event_name: "UserPromptSubmit", prompt: "never mind" });
      leaving.abort();
      await answer;
    }
  });
});
