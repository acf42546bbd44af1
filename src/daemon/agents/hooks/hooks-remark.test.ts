import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { forever } from "../../../../test/fakes/forever.ts";
import { call, hookedAgent } from "../../../../test/fakes/hooked-agent.ts";
import { settled } from "../../../../test/fakes/settled.ts";
import { resolveDecision } from "../../../core/decision/give.ts";

const plan = { tool_name: "ExitPlanMode", tool_input: { plan: "# Do it" }, tool_use_id: "t1" };

/** An agent whose dialog got this answer, with a message. */
async function answered(dialog: object, option: string) {
  const it = await hookedAgent();
  await it.send({ ...dialog, hook_event_name: "PreToolUse" });
  void it.send({ ...dialog, hook_event_name: "PermissionRequest" });
  await settled();
  const id = (await it.pending())[0]?.id ?? assert.fail("nothing was asked");
  const answer = {
    id,
    choices: [],
    option,
    text: null,
    message: "Then test it.",
    by: "ana",
    via: "cli" as const,
  };
  await it.engine.run((state, moment) => resolveDecision(state, answer, moment));
  const delivery = () => it.engine.read((state) => state.decisions.get(id)?.delivery.state);
  const heard = async (hook: object) => {
    const reply = await it.hooks.handle(it.id, { session_id: "s", ...hook }, forever);
    await settled();
    return (reply as { hookSpecificOutput?: { additionalContext?: string } }).hookSpecificOutput
      ?.additionalContext;
  };
  return { ...it, heard, delivery };
}

const ADDS = "The user adds: Then test it.";
const bash = call("", "touch made");
const batch = (more: object) => ({ hook_event_name: "PostToolBatch", tool_calls: [more] });

describe("a message with an answer that allows", () => {
  it.each([
    ["approve", bash],
    ["accept-auto", plan],
    ["accept-manual", plan],
  ])(
    "is sent with the tool's result, and counts as read once the agent does the next thing (%s)",
    async (key, dialog) => {
      const { heard, delivery } = await answered(dialog, key);
      assert.equal(await heard({ ...dialog, hook_event_name: "PostToolUse" }), ADDS);
      assert.equal(await heard(batch(dialog)), undefined);
      assert.notEqual(await delivery(), "acknowledged");
      await heard(call("PreToolUse", "ls", "t2"));
      assert.equal(await delivery(), "acknowledged");
    },
  );

  it("counts as read too if the agent is faster than the record of what it was told", async () => {
    const { heard, delivery, ports, send, hooks, id } = await answered(bash, "approve");
    let sent = (_: boolean) => {};
    const isSent = new Promise<boolean>((resolve) => (sent = resolve));
    const ended = { session_id: "s", ...bash, hook_event_name: "PostToolUse" };
    await hooks.handle(id, ended, forever, isSent);
    ports.log.hold();
    sent(true);
    await send(batch(bash)); // what was told is not written yet
    ports.log.release();
    await settled();
    assert.notEqual(await delivery(), "acknowledged");
    await heard(call("PreToolUse", "ls", "t2"));
    assert.equal(await delivery(), "acknowledged");
  });

  it("does not count as read by what a subagent does", async () => {
    const { heard, delivery } = await answered(bash, "approve");
    assert.equal(await heard({ ...bash, hook_event_name: "PostToolUse" }), ADDS);
    await heard(batch(bash));
    await heard({ ...call("PreToolUse", "ls", "t2"), agent_id: "a subagent" });
    assert.notEqual(await delivery(), "acknowledged");
    await heard(call("PreToolUse", "ls", "t3"));
    assert.equal(await delivery(), "acknowledged");
  });

  it("is sent after the batch if the call failed, since there is no other hook then", async () => {
    const { heard, delivery } = await answered(bash, "approve");
    assert.equal(await heard(batch(bash)), ADDS);
    assert.notEqual(await delivery(), "acknowledged");
    await heard(call("PreToolUse", "ls", "t2"));
    assert.equal(await delivery(), "acknowledged");
  });

  it("is sent at the start of a cleared context, after the text that it starts with", async () => {
    const { heard, delivery } = await answered(plan, "accept-clear");
    const start = { hook_event_name: "SessionStart", source: "clear", session_id: "s2" };
    assert.equal(await heard(start), `primed for clear\n\n${ADDS}`);
    assert.notEqual(await delivery(), "acknowledged");
    await heard({ ...call("PreToolUse", "ls", "t2"), session_id: "s2" });
    assert.equal(await delivery(), "acknowledged");
  });
});
