import assert from "node:assert/strict";
import { it } from "vitest";
import { asker, jobDef, requestInput, world } from "../../test/fakes/core.ts";
import { resumeJob } from "./control/job.ts";
import { resolveDecision } from "./decision/give.ts";
import type { Fact } from "./model/events.ts";
import type { DecisionId, JobId } from "./model/ids.ts";
import { sessionRecipient } from "./model/queue-types.ts";
import type { State } from "./model/state/state.ts";
import { enqueue } from "./outbox/queue.ts";
import { requestDecision } from "./request/request.ts";
import type { Retention } from "./retention.ts";
import { forgetOld, stillOld, unfetchedIn } from "./retention.ts";
import { foundSession } from "./session/turn.ts";

const all = { before_ms: Number.MAX_SAFE_INTEGER, max_decisions: 100, limit: 100 };
const none = { ...all, before_ms: 0 };

/** What goes, and all of it is still right in the same moment. */
function found(state: Readonly<State>, retention: Retention): Fact[] {
  const facts = forgetOld(state, retention);
  assert.deepEqual(stillOld(state, facts, retention.before_ms), facts);
  return facts;
}

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

/** Asked and answered, and fetched unless nobody came for it. */
function settled(it: ReturnType<typeof world>, name: string, isFetched = true): DecisionId {
  const id = asked(it, name);
  answered(it, id);
  if (isFetched) fetched(it, id);
  return id;
}

it("retention keeps an answer that nobody fetched, however old, until there are too many", () => {
  const it = world();
  const [first, second] = ["a", "b"].map((name) => asked(it, name)) as [DecisionId, DecisionId];
  for (const id of [first, second]) answered(it, id);
  assert.deepEqual(
    it.play((state) => found(state, all)),
    [],
  );
  fetched(it, second);
  it.play((state) => found(state, all));
  assert.deepEqual([...it.state.decisions.keys()], [first]);
  it.play((state) => found(state, { ...all, max_decisions: 0 }));
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
  it.play((state) => found(state, all));
  assert.equal(it.state.queues.size, 1);
});

it("retention forgets what ended long ago, and never what is pending or running", () => {
  const it = world();
  const over = it.start(jobDef({ ask: { decision: {} } }));
  answered(it, it.pending()[0] ?? "");
  it.start(jobDef({ ask: { decision: {} } }));
  const old = settled(it, "bot");
  asked(it, "bot");
  assert.deepEqual(
    it.play((state) => found(state, none)),
    [],
  );
  const gone = it.play((state) => found(state, all)).map((event) => (event as { id: string }).id);
  assert.deepEqual(gone, [over, old]);
  assert.equal(it.pending().length, 2);
  assert.equal(it.state.decisions.size, 2);
});

it("retention keeps only so many settled decisions, the newest, whoever asked", () => {
  const it = world();
  const job = () => {
    const id = it.start(jobDef({ ask: { decision: {} } }));
    answered(it, it.pending()[0] ?? "");
    return id;
  };
  const first = settled(it, "a");
  const [early, between, late] = [job(), settled(it, "b"), job()];
  const last = settled(it, "c");
  const keeping = (max_decisions: number) => {
    it.play((state) => found(state, { ...none, max_decisions }));
    return [...it.state.decisions.gists()].map(({ id, owner }) => (owner.kind === "job" ? owner.id : id));
  };
  assert.deepEqual(keeping(5), [first, early, between, late, last]);
  assert.deepEqual(keeping(4), [early, between, late, last]);
  assert.deepEqual(keeping(3), [between, late, last]);
  assert.equal(it.state.jobs.has(early), false);
  assert.deepEqual(keeping(1), [last]);
});

it("a job is as old as the last thing that it asked, and a running one stays", () => {
  const it = world();
  const job = it.start(jobDef({ ask: { decision: {} }, again: { decision: {} } }));
  const between = ["a", "b"].map((name) => settled(it, name));
  const trim = (max_decisions: number) => {
    it.play((state) => found(state, { ...none, max_decisions }));
    return [it.state.jobs.has(job), ...between.map((id) => it.state.decisions.has(id))];
  };
  const answer = () => answered(it, it.pending()[0] ?? "");
  answer();
  assert.deepEqual(trim(2), [true, false, true], "it runs");
  answer();
  assert.deepEqual(trim(2), [true, false, false]);
  assert.deepEqual(trim(1), [false, false, false]);
});

it("retention lets answers that nobody fetched take half of the room, and says which go", () => {
  const it = world();
  const ids = ["a", "b", "c", "d", "e", "f"].map((name, n) => settled(it, name, n === 3));
  let unfetched: DecisionId[] = [];
  it.play((state) => {
    const facts = found(state, { ...none, max_decisions: 4 });
    unfetched = unfetchedIn(state, facts);
    return facts;
  });
  assert.deepEqual([...it.state.decisions.keys()], [ids[2], ids[3], ids[4], ids[5]]);
  assert.deepEqual(unfetched, ids.slice(0, 2));
  it.play((state) => found(state, { ...none, max_decisions: 3 }));
  assert.deepEqual([...it.state.decisions.keys()], [ids[3], ids[4], ids[5]]);
});

it("retention works in small commits", () => {
  const it = world();
  for (const name of ["a", "b", "c"]) settled(it, name);
  assert.equal(it.play((state) => found(state, { ...all, limit: 2 })).length, 2);
  assert.equal(it.play((state) => found(state, { ...all, limit: 2 })).length, 1);
});

it("retention forgets sessions that were not heard from, and messages that nobody fetched", () => {
  const it = world();
  it.play((state) => foundSession(state, { session: "s1", project: "p", cwd: "/" }));
  const entry = { project: "p", kind: "message", text: "hello", decision_id: null, from: "ana" } as const;
  it.play((state) => enqueue(state, { ...entry, id: "a", recipient: sessionRecipient("s1") }));
  assert.deepEqual(
    it.play((state) => found(state, none)),
    [],
  );
  const gone = it.play((state) => found(state, all)).map((event) => event.type);
  assert.deepEqual(gone, ["session:forgotten", "inject:forgotten"]);
  assert.deepEqual([it.state.sessions.size, it.state.queues.size], [0, 0]);
});

it("what was found to be old stays, if that is no longer so when it is its turn", () => {
  const it = world();
  const jobs = [it.start(jobDef({ a: {} })), it.start(jobDef({ a: {} }))];
  for (const id of jobs) it.shell(id, 1);
  const decisions = [settled(it, "a"), settled(it, "b")];
  const report = (session: string) =>
    it.play((state) => [
      ...foundSession(state, { session, project: "p", cwd: "/" }),
      { type: "session:turned", id: session, project: "p" },
    ]);
  const message = (id: string, session: string) => {
    const entry = { project: "p", kind: "message", text: "hello", decision_id: null, from: "ana" } as const;
    it.play((state) => enqueue(state, { ...entry, id, recipient: sessionRecipient(session) }));
  };
  for (const session of ["s1", "s2"]) report(session);
  for (const session of ["s1", "s2"]) message("a", session);

  const before_ms = (it.events.at(-1)?.at_ms ?? 0) + 1;
  const facts = forgetOld(it.state, { ...all, before_ms });
  const right = () =>
    stillOld(it.state, facts, before_ms).map((fact) =>
      "id" in fact ? fact.id : "recipient" in fact && fact.recipient,
    );
  assert.deepEqual(right(), [...jobs, ...decisions, "s1", "s2", "session:s1", "session:s2"]);

  it.play((state, moment) => resumeJob(state, { id: jobs[0] as JobId, by: "ana", message: null }, moment));
  it.play(() => [{ type: "decision:deleted", id: decisions[0] as DecisionId, project: "p" }]);
  report("s1");
  message("b", "s1");
  assert.deepEqual(right(), [jobs[1], decisions[1], "s2", "session:s2"]);
});
