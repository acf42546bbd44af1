import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { call, hookedAgent } from "../../../../test/fakes/hooked-agent.ts";
import { settled } from "../../../../test/fakes/settled.ts";
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
