import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { call, hookedAgent } from "../../../../test/fakes/hooked-agent.ts";
import { settled } from "../../../../test/fakes/settled.ts";
import { agentClientOf } from "../../../agents/known/clients.ts";
import { observe } from "../../../core/agent/agent.ts";

type Hooked = Awaited<ReturnType<typeof hookedAgent>>;

/** What the disk is busy with when a dialog is reported. */
const writing: Record<string, (it: Hooked) => Promise<unknown>> = {
  "the dialog itself": async () => undefined,
  "something else": (it) =>
    it.engine.run((state, moment) =>
      observe(state, { id: it.id, seen: { type: "noted", note: "something else" } }, moment),
    ),
};

/** How the end of a call is reported that somebody allowed in the terminal. */
const ends: Record<string, object> = {
  PostToolUse: call("PostToolUse", "make"),
  PostToolBatch: {
    hook_event_name: "PostToolBatch",
    tool_calls: [{ tool_name: "Bash", tool_use_id: "t1", tool_response: "made" }],
  },
};

describe("a call that ends while the disk still writes", () => {
  for (const [busy, begin] of Object.entries(writing))
    for (const [name, end] of Object.entries(ends))
      it(`${busy} is not asked about any more: ${name}`, async () => {
        const it = await hookedAgent();
        await it.send(call("PreToolUse", "make"));
        it.ports.log.hold();
        const other = begin(it);
        await settled();
        const asking = it.send(call("PermissionRequest", "make"));
        await settled();
        const ending = it.send(end);
        await settled();
        assert.equal(it.ports.log.held(), 1);
        it.ports.log.release();
        await Promise.all([other, ending]);
        await settled();
        assert.deepEqual(await it.pending(), []);
        assert.deepEqual(await asking, {});
        assert.equal((await it.agent()).prompt, null);
      });
});

/** What is known of the dialog when its hook reports it. */
const known: Record<string, (it: Hooked) => Promise<unknown>> = {
  "nothing of it": async () => undefined,
  "it from the screen": async (it) => {
    const prompt = { ...(await asked(it)), key: "t1" };
    return it.engine.run((state, moment) =>
      observe(state, { id: it.id, seen: { type: "prompted", prompt, tail: "" } }, moment),
    );
  },
};

describe("a call that ends while its terminal is still being read, where we knew", () => {
  for (const [what, learn] of Object.entries(known))
    for (const [name, end] of Object.entries(ends))
      it(`${what}, is not asked about again: ${name}`, async () => {
        const it = await hookedAgent();
        await it.send(call("PreToolUse", "make"));
        await learn(it);
        let read = () => {};
        it.shown.tail = () => new Promise((resolve) => (read = resolve));
        const asking = it.send(call("PermissionRequest", "make"));
        await settled();
        it.shown.tail = async () => {};
        await it.send(end);
        assert.deepEqual(await it.pending(), []);
        read();
        assert.deepEqual(await asking, {});
        assert.deepEqual(await it.pending(), []);
        assert.equal((await it.agent()).prompt, null);
      });

  it("that a file shows its end, is not asked about when its hook comes", async () => {
    const it = await hookedAgent();
    await it.send(call("PreToolUse", "make"));
    it.hooks.dialogs.dialogOver(it.id, "t1");
    assert.deepEqual(await it.send(call("PermissionRequest", "make")), {});
    assert.deepEqual(await it.pending(), []);
  });

  it("its end, is asked about if it begins again", async () => {
    const it = await hookedAgent();
    await it.send(call("PreToolUse", "make"));
    await it.send(call("PostToolUse", "make"));
    await it.send(call("PreToolUse", "make"));
    void it.send(call("PermissionRequest", "make"));
    await settled();
    assert.equal((await it.pending()).length, 1);
  });
});

/** What is true only of the process that reported it. */
const ofRun: Record<string, object> = {
  "a dialog": call("PermissionRequest", "make"),
  "the end of its turn": { hook_event_name: "Stop", last_assistant_message: "Well?" },
  "an error": { hook_event_name: "StopFailure", error: "overloaded", last_assistant_message: "" },
};

describe("an agent that is restarted while its terminal is still being read", () => {
  for (const [what, report] of Object.entries(ofRun))
    it(`is not taken for the one that reported ${what}`, async () => {
      const it = await hookedAgent();
      await it.send(call("PreToolUse", "make"));
      let read = () => {};
      it.shown.tail = () => new Promise((resolve) => (read = resolve));
      const reporting = it.send(report);
      await settled();
      const { id } = it;
      const exit = { incarnation: 1, code: 9, signal: null, error: null, tail: "" };
      await it.engine.run((state, moment) =>
        observe(state, { id, seen: { type: "exited", ...exit } }, moment),
      );
      await it.engine.run(() => [{ type: "agent:restarting", id, project: "p", reason: "resumed" }]);
      await it.engine.run((state, moment) =>
        observe(state, { id, seen: { type: "spawned", incarnation: 2 } }, moment),
      );
      const before = [(await it.agent()).status, (await it.pending()).map((one) => one?.source)];
      it.shown.tail = async () => {};
      read();
      assert.deepEqual(await reporting, {});
      assert.deepEqual([(await it.agent()).status, (await it.pending()).map((one) => one?.source)], before);
    });
});

/** The dialog as its hook reports it. */
async function asked(it: Hooked) {
  const [seen] = agentClientOf(await it.agent()).read(call("PermissionRequest", "make"))?.seen ?? [];
  return seen?.type === "prompted" ? seen.prompt : assert.fail("no dialog");
}
