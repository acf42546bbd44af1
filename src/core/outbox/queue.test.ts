import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { World } from "../../../test/fakes/core.ts";
import { asker, requestInput, world } from "../../../test/fakes/core.ts";
import { cancelDecision, deliver } from "../decision/decision.ts";
import { resolveDecision } from "../decision/give.ts";
import type { DecisionId } from "../model/ids.ts";
import type { Recipient } from "../model/queue-types.ts";
import { nameRecipient, sessionRecipient } from "../model/queue-types.ts";
import { replay } from "../model/state/state.ts";
import { decodeState, encodeState } from "../model/state/state-text.ts";
import { requestDecision } from "../request/request.ts";
import { foundSession } from "../session/turn.ts";
import type { EnqueueInput } from "./queue.ts";
import { drain, drainOf, enqueue, received, returned, returnedAll } from "./queue.ts";

const recipient = sessionRecipient("s1");
const message = { recipient, project: "shop", kind: "message", decision_id: null, from: "ana" } as const;

function put(it: World, id: string, more: Partial<EnqueueInput> = {}): void {
  it.play((state) => enqueue(state, { ...message, id, text: `text of ${id}`, ...more }));
}

function take(it: World, drain_id: string, more: { limit?: number; open?: boolean } = {}): string[] {
  it.play((state, moment) => drain(state, { recipient, drain_id, limit: 100, open: false, ...more }, moment));
  return drainOf(it.state, { recipient, drain_id })?.entries.map((entry) => entry.id) ?? [];
}

function ask(it: World, requester: { as?: string; session?: string }): DecisionId {
  if (requester.session)
    it.play((state) => foundSession(state, { session: requester.session ?? "", project: "shop", cwd: "/" }));
  const events = it.play((state, moment) =>
    requestDecision(
      state,
      requestInput({
        requester: asker(requester.as ?? "session-s1", { session: requester.session ?? null }),
        prompt: "Which?",
        options: [{ label: "A", description: null }],
      }),
      moment,
    ),
  );
  return (events[0] as { id: DecisionId }).id;
}

function answer(it: World, id: DecisionId, more: { message?: string; choices?: number[][] } = {}): void {
  const input = { choices: [[1]], text: null, message: null, by: "ana", via: "cli" as const, ...more };
  it.play((state, moment) => resolveDecision(state, { ...input, id }, moment));
}

const delivery = (it: World, id: DecisionId) => it.state.decisions.get(id)?.delivery.state;

describe("a queue", () => {
  it("gives each entry once, in order, and again to a reader that lost the reply", () => {
    const it = world();
    for (const id of ["a", "b", "c"]) put(it, id);
    assert.deepEqual(take(it, "d1", { limit: 2 }), ["a", "b"]);
    assert.deepEqual(take(it, "d2"), ["c"]);
    assert.deepEqual(take(it, "d1"), ["a", "b"]);
    assert.deepEqual(take(it, "d3"), []);
    assert.equal(it.events.filter((event) => event.type === "inject:drained").length, 2);
  });

  it("accepts an entry once, however often it is added, even after it was read", () => {
    const it = world();
    put(it, "a");
    put(it, "a");
    assert.deepEqual(take(it, "d1"), ["a"]);
    put(it, "a");
    assert.deepEqual(take(it, "d2"), []);
  });

  it("keeps each recipient's entries apart", () => {
    const it = world();
    put(it, "a");
    put(it, "a", { recipient: nameRecipient("shop", "s1") });
    assert.deepEqual(take(it, "d1"), ["a"]);
    assert.equal(it.state.queues.get("name:shop/s1")?.entries.length, 1);
  });

  it("is never that of another name in another project, wherever the slashes are", () => {
    const all = ["a/b|c", "a|b/c", "a%2Fb|c", "a%b|c", "a%25b|c", "a/|b/c", "|a/b/c", "a/b/|c"];
    const recipients = all.map((it) => nameRecipient(...(it.split("|") as [string, string])));
    assert.equal(new Set(recipients).size, all.length);
  });

  it("is found under its new name where an older log has it under the old one", () => {
    const it = world();
    const old = { ...message, project: "a/b", recipient: "name:a/b/c" } as const;
    put(it, "m1", old);
    put(it, "m2", { ...old, project: "a" });
    const [ours, theirs] = [nameRecipient("a/b", "c"), nameRecipient("a", "b/c")];
    const waiting = (of: Recipient) => it.state.queues.get(of)?.entries.map((entry) => entry.id);
    assert.deepEqual([waiting(ours), waiting(theirs)], [["m1"], ["m2"]]);
    put(it, "m3", { ...old, recipient: ours });
    it.play((state, moment) =>
      drain(state, { recipient: ours, drain_id: "d1", limit: 9, open: false }, moment),
    );
    const taken = drainOf(it.state, { recipient: ours, drain_id: "d1" });
    assert.deepEqual(
      taken?.entries.map((entry) => entry.id),
      ["m1", "m3"],
    );
    assert.deepEqual([waiting(ours), waiting(theirs)], [[], ["m2"]]);
    assert.equal(encodeState(replay(it.events)), encodeState(it.state));
  });

  it("gets the answer to a question that an older log has under the old name", () => {
    const it = world();
    it.play((state, moment) => {
      const input = requestInput({ project: "a/b", requester: asker("c", {}), prompt: "Which?" });
      const facts = requestDecision(
        state,
        { ...input, options: [{ label: "A", description: null }] },
        moment,
      );
      return facts.map((fact) =>
        "recipient" in fact ? { ...fact, recipient: "name:a/b/c" as const } : fact,
      );
    });
    const [id] = [...it.state.pending];
    assert.ok(id);
    answer(it, id);
    assert.deepEqual(
      it.state.queues.get(nameRecipient("a/b", "c"))?.entries.map((entry) => entry.decision_id),
      [id],
    );
  });

  it("is found under its new name where an older snapshot has it under the old one", () => {
    const it = world();
    const now = nameRecipient("a/b", "c");
    it.play((state, moment) => {
      const input = requestInput({ project: "a/b", requester: asker("c", {}), prompt: "Which?" });
      return requestDecision(state, { ...input, options: [{ label: "A", description: null }] }, moment);
    });
    put(it, "m1", { project: "a/b", recipient: now });
    const older = encodeState(it.state)
      .replace(/"asking":\[.*?\],"held"/, '"held"') // which came later
      .replaceAll(now, "name:a/b/c");
    const state = decodeState(older);
    assert.deepEqual(state.queues.get(now), it.state.queues.get(now));
    assert.equal(state.queues.size, 1);
    const [id] = [...state.pending];
    assert.ok(id);
    for (const found of [state.decisions.peek(id), state.decisions.get(id), state.decisions.gist(id)])
      assert.equal(found?.recipient, now);
    assert.equal(encodeState(state), encodeState(it.state));
  });

  it("gives no more at once than a hook may say, and the rest next time", () => {
    const it = world();
    for (const id of ["a", "b", "c"]) put(it, id, { text: "x".repeat(3500) });
    assert.deepEqual(take(it, "d1"), ["a", "b"]);
    assert.deepEqual(take(it, "d2"), ["c"]);
  });

  it("has a limit: the oldest messages go, answers never, and the reader is told how many", () => {
    const it = world();
    const id = ask(it, { session: "s1" });
    answer(it, id);
    for (let n = 0; n < 300; n++) put(it, `m${n}`, { text: "x".repeat(4000) });
    const queue = it.state.queues.get(recipient);
    assert.equal(queue?.entries[0]?.id, id);
    const held = queue?.entries.reduce((sum, entry) => sum + entry.text.length, 0) ?? 0;
    assert.ok(held > 990_000 && held <= 1_000_000, String(held));
    const left = 301 - (queue?.entries.length ?? 0);
    assert.ok(left > 40);
    take(it, "d1");
    assert.equal(drainOf(it.state, { recipient, drain_id: "d1" })?.left_out, left);
    take(it, "d2");
    assert.equal(drainOf(it.state, { recipient, drain_id: "d2" })?.left_out, 0);
  });

  it("refuses what is empty or too long", () => {
    const it = world();
    assert.throws(() => put(it, "a", { text: " \n" }), { code: "request.invalid" });
    assert.throws(() => put(it, "a", { text: "x".repeat(4001) }), { code: "request.too-large" });
  });

  it("takes back what a reader that can't return did not get, in its old place", () => {
    const it = world();
    for (const id of ["a", "b"]) put(it, id);
    assert.deepEqual(take(it, "d1", { open: true }), ["a", "b"]);
    put(it, "c");
    it.play((state) => returned(state, { recipient, drain_id: "d1" }));
    assert.deepEqual(take(it, "d2", { open: true }), ["a", "b", "c"]);
    it.play((state) => received(state, { recipient, drain_id: "d2" }));
    it.play((state) => returned(state, { recipient, drain_id: "d2" }));
    assert.deepEqual(take(it, "d3"), []);
    put(it, "a");
    assert.deepEqual(take(it, "d4"), []);
  });

  it("takes back after a crash what nobody is known to have got", () => {
    const it = world();
    put(it, "a");
    take(it, "d1", { open: true });
    put(it, "b");
    take(it, "d2");
    it.play((state) => returnedAll(state, null));
    assert.deepEqual(take(it, "d3"), ["a"]);
  });

  it("is the same from a snapshot and from the log", () => {
    const it = world();
    for (const id of ["a", "b"]) put(it, id);
    take(it, "d1", { limit: 1, open: true });
    answer(it, ask(it, { session: "s1" }));
    const text = encodeState(it.state);
    assert.equal(encodeState(decodeState(text)), text);
    assert.equal(encodeState(replay(it.events)), text);
  });
});

describe("the outcome of a request", () => {
  it("goes into the queue of the session or name that asked, and reading it is the receipt", () => {
    const it = world();
    const id = ask(it, { session: "s1" });
    answer(it, id, { message: "but soon" });
    assert.equal(delivery(it, id), "owed");
    assert.deepEqual(take(it, "d1"), [id]);
    assert.equal(delivery(it, id), "acknowledged");
    const [entry] = drainOf(it.state, { recipient, drain_id: "d1" })?.entries ?? [];
    assert.equal(entry?.text, `${id} (Which?) was answered by ana: A. They say: but soon`);

    const named = ask(it, { as: "bot" });
    answer(it, named);
    assert.equal(it.state.queues.get("name:shop/bot")?.entries[0]?.decision_id, named);
  });

  it("is acknowledged by a hook only when its response is out", () => {
    const it = world();
    const id = ask(it, { session: "s1" });
    answer(it, id);
    take(it, "d1", { open: true });
    assert.equal(delivery(it, id), "delivered");
    it.play((state) => received(state, { recipient, drain_id: "d1" }));
    assert.equal(delivery(it, id), "acknowledged");
  });

  it("is not told again to somebody who awaited it, but is told after all if that failed", () => {
    const it = world();
    const id = ask(it, { session: "s1" });
    answer(it, id);
    it.play((state, moment) => deliver(state, { id }, moment)); // its await is being answered
    assert.deepEqual(take(it, "d1"), []);
    for (let n = 0; n < 5; n++) it.play(() => []);
    assert.deepEqual(take(it, "d2"), [id]);
    assert.equal(delivery(it, id), "acknowledged");
  });

  it("leaves the queue when it was acknowledged another way", () => {
    const it = world();
    const id = ask(it, { session: "s1" });
    answer(it, id);
    it.play(() => [{ type: "decision:acknowledged", id, project: "shop" }]);
    assert.equal(it.state.queues.get(recipient)?.entries.length, 0);
  });

  it("is told if there is no answer, unless the requester withdrew it", () => {
    const it = world();
    const cancel = (id: DecisionId, by: string) =>
      it.play((state, moment) => cancelDecision(state, { id, by, reason: "not needed" }, moment));
    const id = ask(it, { session: "s1" });
    cancel(id, "ana");
    assert.deepEqual(take(it, "d1"), [id]);
    const [entry] = drainOf(it.state, { recipient, drain_id: "d1" })?.entries ?? [];
    assert.equal(entry?.text, `${id} (Which?) was withdrawn by ana: not needed. There is no answer.`);
    cancel(ask(it, { session: "s1" }), "session-s1");
    assert.deepEqual(take(it, "d2"), []);
  });
});
