import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { World } from "../../../test/fakes/core.ts";
import { OTHERS, requestInput, world } from "../../../test/fakes/core.ts";
import type { DecisionId } from "../model/ids.ts";
import { decodeState, encodeState } from "../model/state/state-text.ts";
import { askedBefore } from "./key.ts";
import { requestDecision, requestOnce } from "./request.ts";
import type { RequestInput } from "./types.ts";

const KEY = "5b1f0c2e-6a3d-4f0e-9c55-0d1f3a7b9e21";

function ask(it: World, more: Partial<RequestInput> = {}): DecisionId {
  const input = requestInput({ request_key: KEY, ...more });
  const [created] = it.play((state, moment) => requestDecision(state, input, moment));
  return (created as { id: DecisionId }).id;
}

const earlier = (it: World, more: Partial<RequestInput> = {}) =>
  askedBefore(it.state, requestInput({ request_key: KEY, ...more }))?.id ?? null;

describe("a request that is sent again", () => {
  it("is recognized by its key, even from a snapshot, and whatever has become of it", () => {
    const it = world();
    assert.equal(earlier(it), null);
    const id = ask(it);
    assert.equal(earlier(it), id);
    const next = ask(it, { request_key: `${KEY}-2`, prompt: "Another?" });
    assert.equal(it.state.decisions.get(id)?.superseded_by, next);
    assert.equal(earlier({ ...it, state: decodeState(encodeState(it.state)) }), id);
  });

  it("is not recognized for anybody else: another name, project, agent, session or person", () => {
    const it = world();
    ask(it);
    for (const other of [...OTHERS, { request_key: `${KEY}x` }, { request_key: null }])
      assert.equal(earlier(it, other), null, JSON.stringify(other));
  });

  it("is the decision that it has become, and records nothing", () => {
    const it = world();
    const input = requestInput({ request_key: KEY });
    const asked: DecisionId[] = [];
    const once = () =>
      it.play((state, moment) => {
        const { id, facts } = requestOnce(state, input, moment);
        asked.push(id);
        return facts;
      });
    assert.equal(once()[0]?.type, "decision:created");
    assert.deepEqual(once(), []);
    assert.equal(asked[0], asked[1]);
  });

  it("must not be a different question", () => {
    const it = world();
    const id = ask(it);
    assert.throws(() => earlier(it, { prompt: "Something else?" }), {
      code: "request.invalid",
      message: `this request_key was used for another question: ${id}`,
    });
  });

  it("never replaces what belongs to somebody else, even if its key leads there", () => {
    const it = world();
    const id = ask(it);
    const decision = it.state.decisions.open(id);
    assert.ok(decision);
    decision.recipient = null; // as if the id belonged to somebody else, by chance or by trying many keys
    assert.equal(earlier(it), null);
    assert.notEqual(ask(it), id);
    assert.equal(it.state.decisions.get(id), decision);
  });
});
