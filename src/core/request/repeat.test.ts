import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { asker, requestInput, world } from "../../../test/fakes/core.ts";
import { cancelDecision } from "../decision/decision.ts";
import { decodeState, encodeState } from "../model/state/state-text.ts";
import { requestOnce } from "./request.ts";

const same = { requester: asker("bot"), prompt: "Which?", context: "Two are there." };

/** Asks once for each, and returns the ids. */
function asked(it: ReturnType<typeof world>, ...all: object[]) {
  return all.map((more, n) => {
    let id = "";
    it.play((state, moment) => {
      const input = requestInput({ ...same, request_key: `key-${n}`, ...more });
      const made = requestOnce(state, input, moment);
      id = made.id;
      return made.facts;
    });
    return id;
  });
}

const pendingIn = ({ state }: ReturnType<typeof world>) =>
  [...state.pending].map((id) => [id, state.decisions.get(id)?.count ?? 1]);

describe("the same request of the same asker", () => {
  it("is counted while it is pending, across a restart, and once for each time it was asked", () => {
    const it = world();
    const ids = asked(it, {}, {}, {}, { request_key: "key-1" });
    assert.equal(new Set(ids).size, 1);
    assert.deepEqual(pendingIn(it), [[ids[0], 3]]);
    const read = decodeState(encodeState(it.state));
    assert.equal(read.decisions.get(ids[0] as `dec-${string}`)?.repeats?.length, 2);
  });

  for (const [what, more] of Object.entries({
    "another question": { prompt: "Which one?" },
    "another context": { context: "Three are there." },
    "another option": { options: [{ label: "C", description: null }] },
    "another recommendation": { recommend: 1 },
    "another urgency": { urgency: "high" },
  }))
    it(`is replaced by ${what}`, () => {
      const it = world();
      const [, next] = asked(it, {}, more);
      assert.deepEqual(pendingIn(it), [[next, 1]]);
    });

  it("is somebody else's if somebody else asks it", () => {
    const it = world();
    asked(it, {}, { requester: asker("other") }, { project: "blog" });
    assert.deepEqual(
      pendingIn(it).map(([, count]) => count),
      [1, 1, 1],
    );
  });

  it("is taken back once for each time it was asked, but ends when a person takes it back", () => {
    const it = world();
    const [id = ""] = asked(it, {}, {});
    const cancel = (by: string) =>
      it.play((state, moment) => cancelDecision(state, { id, by, reason: null }, moment));
    cancel("bot");
    assert.deepEqual(pendingIn(it), [[id, 1]]);
    cancel("bot");
    assert.deepEqual(pendingIn(it), []);
    const [again = ""] = asked(it, { request_key: "a" }, { request_key: "b" });
    it.play((state, moment) => cancelDecision(state, { id: again, by: "ana", reason: null }, moment));
    assert.deepEqual(pendingIn(it), []);
  });
});
