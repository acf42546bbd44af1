import assert from "node:assert/strict";
import { it } from "vitest";
import { asker, jobDef, requestInput, world } from "../../test/fakes/core.ts";
import { resolveDecision } from "./decision/give.ts";
import type { DecisionId } from "./model/ids.ts";
import { sessionRecipient } from "./model/queue-types.ts";
import { enqueue } from "./outbox/queue.ts";
import { requestDecision } from "./request/request.ts";
import { forgetOld } from "./retention.ts";
import { foundSession } from "./session/turn.ts";

const all = { before_ms: Number.MAX_SAFE_INTEGER, max_decisions: 100, limit: 100 };
const none = { ...all, before_ms: 0 };

function asked(it: ReturnType<typeof world>, name: string): DecisionId {
  const [created] = it.play((state, moment) =>
    requestDecision(
      state,
      requestInput({ project: "p", requester: asker(name, { is_agent: false }) }),
      moment,
    ),
  );
  return (created as { id: DecisionId }).id;
}

function answered(it: ReturnType<typeof world>, id: string): void {
  it.play((state, moment) =>
    resolveDecision(state, { id, choices: [[1]], text: null, message: null, by: "ana", via: "cli" }, moment),
  );
}

function fetched(it: ReturnType<typeof world>, id: DecisionId): void {
  it.play(() => [{ type: "decision:acknowledged", id, project: "p" }]);
}

it("retention keeps an answer that nobody fetched, however old, until there are too many", () => {
  const it = world();
  const [first, second] = ["a", "b"].map((name) => asked(it, name)) as [DecisionId, DecisionId];
  for (const id of [first, second]) answered(it, id);
  assert.deepEqual(
    it.play((state) => forgetOld(state, all)),
    [],
  );
  fetched(it, second);
  it.play((state) => forgetOld(state, all));
  assert.deepEqual([...it.state.decisions.keys()], [first]);
  it.play((state) => forgetOld(state, { ...all, max_decisions: 0 }));
  assert.equal(it.state.decisions.size, 0);
});

it("retention keeps a queue as long as an answer waits in it, and forgets it with that answer", () => {
  const it = world();
  const id = asked(it, "a");
  answered(it, id);
  const recipient = sessionRecipient("s1");
  const entry = { project: "p", kind: "answer", text: "Yes", from: "ana" } as const;
  if (it.state.queues.size === 0)
    it.play((state) => enqueue(state, { ...entry, id: "x", recipient, decision_id: id }));
  it.play((state) => forgetOld(state, all));
  assert.equal(it.state.queues.size, 1);
});

it("retention forgets what ended long ago, and never what is pending or running", () => {
  const it = world();
  const over = it.start(jobDef({ ask: { decision: {} } }));
  answered(it, it.pending()[0] ?? "");
  it.start(jobDef({ ask: { decision: {} } }));
  const settled = asked(it, "bot");
  answered(it, settled);
  fetched(it, settled);
  asked(it, "bot");
  assert.deepEqual(
    it.play((state) => forgetOld(state, none)),
    [],
  );
  const gone = it.play((state) => forgetOld(state, all)).map((event) => (event as { id: string }).id);
  assert.deepEqual(gone, [over, settled]);
  assert.equal(it.pending().length, 2);
  assert.equal(it.state.decisions.size, 2);
});

it("retention keeps only so many settled decisions, the newest", () => {
  const it = world();
  const ids = ["a", "b", "c"].map((name) => asked(it, name));
  for (const id of ids) answered(it, id);
  for (const decision of it.state.decisions.values())
    it.state.decisions.set(decision.id, {
      ...decision,
      delivery: { ...decision.delivery, state: "acknowledged" },
    });
  it.play((state) => forgetOld(state, { ...none, max_decisions: 1 }));
  assert.deepEqual([...it.state.decisions.keys()], [ids[2]]);
});

it("retention works in small commits", () => {
  const it = world();
  for (const name of ["a", "b", "c"]) {
    const id = asked(it, name);
    answered(it, id);
    fetched(it, id);
  }
  assert.equal(it.play((state) => forgetOld(state, { ...all, limit: 2 })).length, 2);
  assert.equal(it.play((state) => forgetOld(state, { ...all, limit: 2 })).length, 1);
});

it("retention forgets sessions that were not heard from, and messages that nobody fetched", () => {
  const it = world();
  it.play((state) => foundSession(state, { session: "s1", project: "p", cwd: "/" }));
  const entry = { project: "p", kind: "message", text: "hello", decision_id: null, from: "ana" } as const;
  it.play((state) => enqueue(state, { ...entry, id: "a", recipient: sessionRecipient("s1") }));
  assert.deepEqual(
    it.play((state) => forgetOld(state, none)),
    [],
  );
  const gone = it.play((state) => forgetOld(state, all)).map((event) => event.type);
  assert.deepEqual(gone, ["session:forgotten", "inject:forgotten"]);
  assert.deepEqual([it.state.sessions.size, it.state.queues.size], [0, 0]);
});
