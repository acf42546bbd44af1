import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { asker, requestInput } from "../../../../test/fakes/core.ts";
import { forever } from "../../../../test/fakes/forever.ts";
import { call, hookedAgent } from "../../../../test/fakes/hooked-agent.ts";
import { settled } from "../../../../test/fakes/settled.ts";
import { resolveDecision } from "../../../core/decision/give.ts";
import { requestDecision } from "../../../core/request/request.ts";

/** An agent that asked, got its answer and is working again. */
async function answered() {
  const it = await hookedAgent();
  const option = { label: "Yes", description: null };
  await it.engine.run((state, moment) =>
    requestDecision(
      state,
      requestInput({
        project: "p",
        requester: asker("builder", { agent_id: it.id }),
        prompt: "Ship?",
        options: [option],
      }),
      moment,
    ),
  );
  const [request] = await it.pending();
  const id = request?.id ?? assert.fail("nothing was asked");
  const answer = { id, choices: [[1]], text: null, message: null, by: "ana", via: "cli" as const };
  await it.engine.run((state, moment) => resolveDecision(state, answer, moment));
  const delivery = () => it.engine.read((state) => state.decisions.get(id)?.delivery.state);
  const heard = async (hook: object, sent?: Promise<boolean>) => {
    const reply = await it.hooks.handle(it.id, { session_id: "s", ...hook }, forever, sent);
    await settled();
    return (reply as { hookSpecificOutput?: { additionalContext?: string } }).hookSpecificOutput
      ?.additionalContext;
  };
  return { ...it, delivery, heard };
}

describe("the outcome of a request, passed on by a hook", () => {
  it("is sent along once, and what the agent does after reading it is the receipt", async () => {
    const { heard, delivery } = await answered();
    assert.match((await heard(call("PostToolUse", "ls"))) ?? "", /was answered by ana: Yes\./);
    assert.equal(await delivery(), "delivered");
    assert.equal(await heard(call("PostToolUse", "ls", "t2")), undefined);
    await heard(call("PreToolUse", "pwd", "t3"));
    assert.equal(await delivery(), "delivered", "a call of the same batch proves nothing");
    await heard({ hook_event_name: "PostToolBatch", tool_calls: [] });
    await heard(call("PreToolUse", "pwd", "t4"));
    assert.equal(await delivery(), "acknowledged");
  });

  it("reaches an agent that ends its turn", async () => {
    const { heard, delivery } = await answered();
    await heard(call("PostToolUse", "ls"));
    await heard({ hook_event_name: "Stop", last_assistant_message: "I see." });
    assert.equal(await delivery(), "acknowledged");
  });

  it("goes with only one of two responses at the same time", async () => {
    const { heard } = await answered();
    const both = await Promise.all([
      heard(call("PostToolUse", "ls")),
      heard(call("PostToolUse", "ls", "t2")),
    ]);
    assert.equal(both.filter((it) => it !== undefined).length, 1);
  });

  it("stays owed if the response did not go out", async () => {
    const { heard, delivery } = await answered();
    assert.ok(await heard(call("PostToolUse", "ls"), Promise.resolve(false)));
    assert.equal(await delivery(), "owed");
    assert.ok(await heard(call("PostToolUse", "ls", "t2")));
    assert.equal(await delivery(), "delivered");
  });

  it("is not for one of the agent's own helpers", async () => {
    const { heard } = await answered();
    assert.equal(await heard({ ...call("PostToolUse", "ls"), agent_id: "helper" }), undefined);
  });
});

describe("a No through an open hook", () => {
  const outcomeOf = async (tool_response: string) => {
    const it = await hookedAgent();
    await it.send(call("PreToolUse", "make"));
    const asking = it.send(call("PermissionRequest", "make"));
    await settled();
    const [{ id } = assert.fail("nothing was asked")] = (await it.pending()).flatMap((one) => one ?? []);
    const no = { id, choices: [[2]], text: null, message: "Not here.", by: "ana", via: "cli" as const };
    await it.engine.run((state, moment) => resolveDecision(state, no, moment));
    it.openHooks.answer(it.id, "t1", { body: { ok: false }, call: null });
    await asking;
    const { hook_event_name: _, ...made } = call("", "make");
    await it.send({ hook_event_name: "PostToolBatch", tool_calls: [{ ...made, tool_response }] });
    return it.engine.read((state) => state.decisions.get(id)?.delivery);
  };

  it("arrived if its reason is what came of the call", async () => {
    assert.equal((await outcomeOf("Not here."))?.state, "acknowledged");
  });

  it("came too late if the call was allowed in the terminal, even if it then failed", async () => {
    const delivery = await outcomeOf("Exit code 2\nmake: *** No targets.");
    assert.deepEqual(
      [delivery?.state, delivery?.error],
      ["failed", "the dialog was answered in the terminal first"],
    );
  });
});
