import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { agentAtWork, approval, tail } from "../../../test/fakes/agents.ts";
import { callRefused, keysSent } from "../agent/record.ts";
import { owed } from "../owed.ts";
import { choreFailed, parcelLate } from "./chore.ts";

function answered() {
  const agent = agentAtWork();
  agent.seen({ type: "prompted", prompt: approval, tail });
  const { id: decision_id } = agent.answer("approve");
  return { ...agent, decision_id };
}

describe("a chore that failed", () => {
  it("is on record with the time of its next try, and on the decision that waits for it", () => {
    const { it: w, decision, decision_id } = answered();
    const [effect] = owed(w.state);
    assert.ok(effect);
    const [event] = w.play((_, { at_ms }) =>
      choreFailed({ effect, attempt: 2, error: "no tmux" }, { at_ms }),
    );
    assert.ok(event?.type === "effect:failed");
    assert.equal(event.retry_at_ms, event.at_ms + 2000);
    assert.deepEqual(
      [...w.state.retries.values()].map((it) => [it.effect, it.attempt]),
      [["deliver", 2]],
    );
    assert.equal(decision(decision_id).delivery.error, "no tmux");
  });
});

describe("a late answer", () => {
  it("says on its decision what it waits for, while the agent still waits for it", () => {
    const { it: w, id, decision, decision_id } = answered();
    const late = (parcel_id: string) =>
      w.play((state) => parcelLate(state, { id, parcel_id, waits_for: "its gate runs" }));
    assert.deepEqual(late("another"), []);
    late(decision_id);
    assert.equal(decision(decision_id).delivery.error, "its gate runs");
  });
});

describe("what others tried with an agent", () => {
  it("is on record, and changes nothing of it; of one that is gone nothing is", () => {
    const { it: w, id, agent } = answered();
    const before = structuredClone(agent());
    const what = { call: "POST /jobs", reason: "not yours", unnoted: 3 };
    const events = [
      ...w.play((state) => callRefused(state, { id, ...what })),
      ...w.play((state) => keysSent(state, { id, times: 2 })),
      ...w.play((state) => callRefused(state, { id: "agt-0", ...what })),
      ...w.play((state) => keysSent(state, { id: "agt-0", times: 2 })),
    ];
    assert.deepEqual(
      events.map((it) => it.type),
      ["agent:refused", "agent:keyed"],
    );
    assert.deepEqual(agent(), before);
  });
});
