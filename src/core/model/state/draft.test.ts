import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { agentAtWork, approval, tail } from "../../../../test/fakes/agents.ts";
import { asker, requestInput, world } from "../../../../test/fakes/core.ts";
import { frozen } from "../../../../test/fakes/frozen.ts";
import { clients } from "../../../agents/known/clients.ts";
import { cancelJob, deleteJob, ownerPurged } from "../../control/job.ts";
import { cancelDecision } from "../../decision/decision.ts";
import { enqueue } from "../../outbox/queue.ts";
import { requestDecision } from "../../request/request.ts";
import { clearTurn, foundSession } from "../../session/turn.ts";
import type { Event } from "../events.ts";
import type { JobId, Moment } from "../ids.ts";
import { sessionRecipient } from "../queue-types.ts";
import type { Draft } from "./draft.ts";
import { draftOn } from "./draft.ts";
import { lent, replay } from "./state.ts";
import { encodeState } from "./state-text.ts";

/** A job with an agent that asks, is answered, is cancelled and deleted, beside a session that has something to hear. */
function manyEvents(): Event[] {
  const { it: w, id, seen, answer } = agentAtWork();
  const job = [...w.state.jobs.keys()][0] as JobId;
  const from = { session: "s1", cwd: "/shop", client: "1.2", project: "shop" };
  w.play((state) => foundSession(state, from));
  w.play((state) => clearTurn(state, from));
  w.play((state) => foundSession(state, { ...from, session: "s2" }));
  const words = { project: "shop", kind: "message", text: "Hello.", decision_id: null, from: "ana" } as const;
  w.play((state) => enqueue(state, { ...words, id: "m1", recipient: sessionRecipient("s1") }));
  seen({ type: "prompted", prompt: approval, tail });
  answer("approve", { message: "Then test it." });
  seen({ type: "answered", key: approval.key, ran: true });
  const requester = asker("build", { agent_id: id });
  w.play((state, moment) => requestDecision(state, requestInput({ requester, blocks: [job] }), moment));
  seen({ type: "stopped", last_message: "I asked.", tail });
  w.play((state, moment) => cancelJob(state, { id: job, by: "ana", reason: null }, moment));
  seen({ type: "exited", incarnation: 1, code: 0, signal: null, error: null, tail });
  w.play((state, moment) => deleteJob(state, { id: job, by: "ana" }, moment));
  w.play((state) => ownerPurged(state, { id: job }));
  return w.events;
}

const momentAt = (at_ms: number): Moment => ({ at_ms, id: () => assert.fail("no id is due"), clients });

function emit(draft: Draft, { seq: _, at_ms: __, ...fact }: Event): void {
  draft.emit(fact as Parameters<Draft["emit"]>[0]);
}

describe("a draft", () => {
  it("folds each fact as the log does, and leaves the state alone", () => {
    const events = manyEvents();
    assert.ok(events.length > 30);
    for (const [n, event] of events.entries()) {
      const before = replay(events.slice(0, n));
      const text = encodeState(before);
      const draft = draftOn(frozen(before), momentAt(event.at_ms));
      emit(draft, event);
      assert.equal(encodeState(draft.state), encodeState(replay(events.slice(0, n + 1))), event.type);
      assert.equal(encodeState(before), text, event.type);
    }
  });

  it("folds many facts as the log does, from any point on", () => {
    const events = manyEvents().map((it) => ({ ...it, at_ms: 7 })); // a draft has one moment
    for (const from of [0, 5, 12, 20]) {
      const draft = draftOn(frozen(replay(events.slice(0, from))), momentAt(7));
      for (const event of events.slice(from)) emit(draft, event);
      assert.equal(encodeState(draft.state), encodeState(replay(events)));
    }
  });

  it("has what its facts asked as pending, and not what they settled", () => {
    const w = world();
    const [created] = w.play((state, moment) => requestDecision(state, requestInput(), moment));
    assert.ok(created?.type === "decision:created");
    const { id, project } = created;
    const draft = draftOn(w.state, momentAt(1));
    const withdrawn = {
      type: "decision:withdrawn",
      reason: "cancelled",
      by: "ana",
      aftermath: null,
    } as const;
    draft.emit({ ...withdrawn, id, project });
    const { seq: _, at_ms: __, ...next } = { ...created, id: "dec-next" as const };
    draft.emit(next);
    assert.deepEqual([...draft.state.pending], ["dec-next"]);
    assert.equal(draft.state.pending.size, 1);
    assert.equal(draft.state.decisions.get(id)?.state, "withdrawn");
    assert.deepEqual(
      [...draft.state.decisions.gists()].map((it) => it.state),
      ["withdrawn", "pending"],
    );
    assert.deepEqual([...w.state.pending], [id]);
    assert.equal(w.state.decisions.size, 1);
  });

  it("has jobs, agents and crews that change with each fact, for a rule that holds one", () => {
    const { it: w, id } = agentAtWork();
    const draft = draftOn(w.state, momentAt(1));
    const agent = draft.agent(id);
    draft.emit({ type: "agent:idle", id, project: agent.project, last_message: "Done." });
    assert.equal(agent.status, "idle");
    assert.equal(draft.state.agents.get(id), agent);
    assert.equal(w.state.agents.get(id)?.status, "working");
    assert.throws(() => draft.job("job-0"), { message: "no job-0" });
  });
});

describe("what a rule settles", () => {
  it("is withdrawn once, where a step waits for it and it blocks the job as well", () => {
    const events = manyEvents();
    const withdrawn = events.filter((it) => it.type === "decision:withdrawn");
    assert.equal(withdrawn.length, 1);
  });
});

describe("a state that was lent", () => {
  it("keeps every value that was read from it as it was", () => {
    const events = manyEvents();
    const state = replay([]);
    for (const event of events) {
      replay([event], state);
      frozen(lent(state)); // whatever is changed in place from now on throws
    }
    assert.equal(encodeState(state), encodeState(replay(events)));
  });

  it("refuses a second end all the same", () => {
    const w = world();
    const [created] = w.play((state, moment) => requestDecision(state, requestInput(), moment));
    const { id } = created as { id: string };
    frozen(lent(w.state));
    w.play((state, moment) => cancelDecision(state, { id, by: "ana", reason: null }, moment));
    assert.throws(
      () => w.play((state, moment) => cancelDecision(state, { id, by: "ana", reason: null }, moment)),
      { code: "decision.already-resolved" },
    );
  });
});
