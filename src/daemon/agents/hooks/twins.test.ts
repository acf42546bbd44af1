import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { forever } from "../../../../test/fakes/forever.ts";
import { call, hookedAgent } from "../../../../test/fakes/hooked-agent.ts";
import { settled } from "../../../../test/fakes/settled.ts";
import { decodeState, encodeState } from "../../../core/model/state/state-text.ts";

/** An agent whose two calls of the same command wait for a person. */
async function twoCalls(command = "make all", abort = forever) {
  const it = await hookedAgent();
  for (const use of ["t1", "t2"]) await it.send(call("PreToolUse", command, use));
  const first = it.send(call("PermissionRequest", command, ""));
  const second = it.send(call("PermissionRequest", command, ""), abort);
  await settled();
  const [decision] = await it.pending();
  const id = decision?.id ?? assert.fail("nothing was asked");
  const shown = () => it.engine.read((state) => state.decisions.get(id));
  const allow = () => it.openHooks.answer(it.id, "t1", { body: { ok: 1 }, call: null });
  return { ...it, first, second, decision, decisionId: id, shown, allow };
}

describe("an agent that asks about the same call twice", () => {
  it("is one decision with a count, and each call gets the answer", async () => {
    const it = await twoCalls();
    assert.deepEqual([(await it.pending()).length, it.decision?.count], [1, 2]);
    const text = await it.engine.read((state) => encodeState(state));
    assert.equal(decodeState(text).decisions.get(it.decisionId)?.count, 2);
    it.allow();
    assert.deepEqual([await it.first, await it.second], [{ ok: 1 }, { ok: 1 }]);
    await settled();
    assert.deepEqual(
      (await it.shown())?.repeats?.map((one) => one.state),
      ["acknowledged"],
    );
    for (const use of ["t1", "t2"]) {
      assert.deepEqual(
        await it.send(call("PreToolUse", "make all", use)),
        {},
        "each may run as it was shown",
      );
      const other = JSON.stringify(await it.send(call("PreToolUse", "rm -rf /", use)));
      assert.match(other, /deny/, "and as nothing else");
    }
  });

  it("gives no answer to a call that has gone, and the other one still waits", async () => {
    const gone = new AbortController();
    const it = await twoCalls("make all", gone.signal);
    gone.abort();
    await it.second;
    await settled();
    assert.deepEqual([(await it.shown())?.count, (await it.shown())?.state], [1, "pending"]);
    it.allow();
    assert.deepEqual(await it.first, { ok: 1 });
  });

  it("asks about the second by itself if the first was settled without an answer", async () => {
    const it = await twoCalls();
    await it.send(call("PostToolUse", "make all", "t1"));
    assert.deepEqual(await it.first, {}, "answered in the terminal");
    await settled();
    const [next, ...more] = await it.pending();
    assert.deepEqual([next?.prompt_key, next?.count, more], ["t2", undefined, []]);
  });

  it("is another decision if the call is another one", async () => {
    const it = await hookedAgent();
    void it.send(call("PermissionRequest", "make a", ""));
    void it.send(call("PermissionRequest", "make b", ""));
    await settled();
    const [one] = await it.pending();
    assert.deepEqual([one?.action?.input, one?.count], [{ command: "make a" }, undefined]);
  });
});
