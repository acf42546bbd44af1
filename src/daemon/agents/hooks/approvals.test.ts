import assert from "node:assert/strict";
import { it } from "vitest";
import { call, hookedAgent } from "../../../../test/fakes/hooked-agent.ts";
import { settled } from "../../../../test/fakes/settled.ts";
import { claudeCode } from "../../../agents/claude/client.ts";

type Reply = { hookSpecificOutput?: { permissionDecision?: string } };

it("every call is held to what was approved for it, not only the newest", async () => {
  const { send, openHooks, id } = await hookedAgent();
  const uses = { t1: "ls", t2: "cat x", t3: "date" };
  for (const [use, command] of Object.entries(uses)) await send(call("PreToolUse", command, use));
  for (const [use, command] of Object.entries(uses)) {
    const asking = send(call("PermissionRequest", command, ""));
    await settled();
    assert.ok(openHooks.answer(id, use, { body: { ok: true }, call: null }));
    await asking;
  }
  for (const [use, command] of Object.entries(uses)) {
    const { hookSpecificOutput } = (await send(call("PreToolUse", "rm -rf /", use))) as Reply;
    assert.equal(hookSpecificOutput?.permissionDecision, "deny", `${use} was approved as ${command}`);
    assert.deepEqual(await send(call("PreToolUse", command, use)), {}, "as it was approved");
  }
  await send(call("PostToolUse", "ls", "t1"));
  assert.deepEqual(await send(call("PreToolUse", "pwd", "t1")), {}, "it has run: what comes is another call");
});

it("a call that a person changed may run as changed, and no longer as it was asked about", async () => {
  const { send, openHooks, id } = await hookedAgent();
  await send(call("PreToolUse", "rm -rf build", "t1"));
  const asking = send(call("PermissionRequest", "rm -rf build", ""));
  await settled();
  const changed = claudeCode.callName("Bash", call("PreToolUse", "ls build", "t1").tool_input);
  assert.ok(openHooks.answer(id, "t1", { body: { ok: true }, call: changed }));
  assert.deepEqual(await asking, { ok: true });
  const { hookSpecificOutput } = (await send(call("PreToolUse", "rm -rf build", "t1"))) as Reply;
  assert.equal(hookSpecificOutput?.permissionDecision, "deny");
  assert.deepEqual(await send(call("PreToolUse", "ls build", "t1")), {});
});
