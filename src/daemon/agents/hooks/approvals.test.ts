import assert from "node:assert/strict";
import { it } from "vitest";
import { call, hookedAgent } from "../../../../test/fakes/hooked-agent.ts";
import { settled } from "../../../../test/fakes/settled.ts";

type Reply = { hookSpecificOutput?: { permissionDecision?: string } };

it("every call is held to what was approved for it, not only the newest", async () => {
  const { send, openHooks, id } = await hookedAgent();
  const uses = { t1: "ls", t2: "cat x", t3: "date" };
  for (const [use, command] of Object.entries(uses)) await send(call("PreToolUse", command, use));
  for (const [use, command] of Object.entries(uses)) {
    const asking = send(call("PermissionRequest", command, ""));
    await settled();
    assert.ok(openHooks.answer(id, use, { ok: true }));
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
