import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { World } from "../../../test/fakes/core.ts";
import { asker, requestInput, world } from "../../../test/fakes/core.ts";
import { resolveDecision } from "../decision/give.ts";
import type { DecisionId } from "../model/ids.ts";
import { requestDecision } from "../request/request.ts";
import type { Origin } from "../request/requester.ts";
import { fromSession } from "../request/requester.ts";
import { checkTurn, clearTurn, foundSession } from "./turn.ts";

const from = { session: "s1", project: "shop", cwd: "/home/shop" };

const clear = (it: World) => it.play((state) => clearTurn(state, from));
const found = (it: World, session: string, client: string | null = null) =>
  it.play((state) => foundSession(state, { ...from, session, client }));

function check(it: World, soft = false): string {
  let verdict = "";
  it.play((state) => {
    const checked = checkTurn(state, from, { soft, last_message: "All done." });
    verdict = checked.verdict;
    return checked.facts;
  });
  return verdict;
}

function ask(
  it: World,
  session: string | null,
  more: Omit<Origin, "session"> = {},
  by = asker("ana", { is_agent: false }),
): DecisionId {
  const events = it.play((state, moment) =>
    requestDecision(
      state,
      requestInput({
        requester: fromSession(state, by, { session, ...more }),
        prompt: "Which?",
        options: [{ label: "A", description: null }],
      }),
      moment,
    ),
  );
  return (events[0] as { id: DecisionId }).id;
}

function answer(it: World, id: DecisionId): void {
  const input = { choices: [[1]], text: null, message: null, by: "ana", via: "cli" as const };
  it.play((state, moment) => resolveDecision(state, { ...input, id }, moment));
}

describe("a turn", () => {
  it("may end once a decision was offered in it, however often that is checked", () => {
    const it = world();
    clear(it);
    assert.equal(check(it), "blocked");
    answer(it, ask(it, "s1"));
    assert.equal(check(it), "ends");
    assert.equal(check(it), "ends");
    clear(it);
    assert.equal(check(it), "blocked");
  });

  it("may end while a request from the session is pending, whenever that was made", () => {
    const it = world();
    clear(it);
    const id = ask(it, "s1");
    clear(it);
    assert.equal(check(it), "ends");
    answer(it, id);
    assert.equal(check(it), "blocked");
  });

  it("is kept from ending three times in a row at most, and then let go, on record", () => {
    const it = world();
    clear(it);
    const verdicts = Array.from({ length: 8 }, () => check(it));
    const round = ["blocked", "blocked", "blocked", "overridden"];
    assert.deepEqual(verdicts, [...round, ...round]);
    const overridden = it.events.filter((event) => event.type === "session:overridden");
    assert.deepEqual(
      overridden.map(({ blocks, last_message, project }) => [blocks, last_message, project]),
      [
        [3, "All done.", "shop"],
        [3, "All done.", "shop"],
      ],
    );
  });

  it("counts from zero again after an offer and after a new prompt", () => {
    const it = world();
    clear(it);
    for (let n = 0; n < 2; n++) assert.equal(check(it), "blocked");
    clear(it);
    for (let n = 0; n < 3; n++) assert.equal(check(it), "blocked");
    assert.equal(check(it), "overridden");
  });

  it("is only remarked upon when soft", () => {
    const it = world();
    clear(it);
    for (let n = 0; n < 5; n++) assert.equal(check(it, true), "blocked");
    assert.equal(it.events.length, 2);
  });

  it("is checked even if nothing is known about its session", () => {
    const it = world();
    assert.equal(check(it), "blocked");
    assert.deepEqual(
      it.events.map((event) => event.type),
      ["session:found", "session:blocked"],
    );
  });
});

describe("a request from a session", () => {
  const owner = (it: World, id: DecisionId) => it.state.decisions.get(id)?.session;

  it("made before any hook reported the session becomes its own as soon as one does", () => {
    const it = world();
    const id = ask(it, "s1");
    const others = ask(it, "s2");
    assert.deepEqual([owner(it, id), it.state.decisions.get(id)?.requested_by], [null, "ana"]);
    found(it, "s1");
    assert.deepEqual([owner(it, id), owner(it, others)], ["s1", null]);
    assert.equal(check(it), "ends");
    answer(it, id);
    assert.equal(it.state.queues.get("session:s1")?.entries.length, 1);
  });

  it("becomes its own even if it was answered before the hook came", () => {
    const it = world();
    const id = ask(it, "s1");
    answer(it, id);
    found(it, "s1");
    assert.equal(it.state.queues.get("session:s1")?.entries[0]?.decision_id, id);
  });

  it("does so whatever name it gave, and the answer no longer waits for that name", () => {
    const it = world();
    const id = ask(it, "s1", {}, asker("billing"));
    answer(it, id);
    assert.equal(it.state.queues.get("name:shop/billing")?.entries.length, 1);
    found(it, "s1");
    assert.equal(owner(it, id), "s1");
    assert.equal(it.state.queues.get("session:s1")?.entries[0]?.decision_id, id);
    assert.equal(it.state.queues.get("name:shop/billing")?.entries.length, 0);
    const mine = ask(it, null, {}, asker("billing"));
    answer(it, mine);
    found(it, "s2");
    assert.equal(owner(it, mine), null, "somebody else of that name");
  });

  it("is recognized by its environment, or else by the client's process above it", () => {
    const it = world();
    found(it, "s1", "100.7");
    found(it, "s2", "200.7");
    const cases: [Origin, string | null][] = [
      [{ session: "s1" }, "s1"],
      [{ session: "s1", processes: ["200.7"] }, "s1"],
      [{ session: null, processes: ["300.1", "200.7", "100.7"] }, "s2"],
      [{ session: null, processes: ["200.8", "100"] }, null],
      [{ session: "unknown", processes: ["200.7"] }, null],
      [{ session: null }, null],
    ];
    for (const [{ session, ...more }, expected] of cases)
      assert.equal(owner(it, ask(it, session, more)), expected, JSON.stringify([session, more]));
  });

  it("that comes through one of the client's servers belongs to the session that the client is in now", () => {
    const it = world();
    found(it, "s1", "100.7");
    const fromServer = () => owner(it, ask(it, "s1", { processes: ["100.7"], outlives: true }));
    assert.equal(fromServer(), "s1");
    found(it, "s2", "100.7"); // after /clear
    assert.equal(fromServer(), "s2");
    assert.equal(owner(it, ask(it, "s1")), "s1", "a script that outlives the /clear is of the old one");
    found(it, "s1", "100.7"); // resumed there
    assert.equal(fromServer(), "s1");
    found(it, "s1", "300.9"); // and resumed by another client
    assert.equal(fromServer(), "s1");
    found(it, "s2", "100.7");
    assert.equal(fromServer(), "s2");
  });

  it("keeps the name that it gives, and the answer goes to the session", () => {
    const it = world();
    found(it, "s1");
    const id = ask(it, "s1", {}, asker("billing"));
    assert.deepEqual([owner(it, id), it.state.decisions.get(id)?.requested_by], ["s1", "billing"]);
    answer(it, id);
    assert.equal(it.state.queues.get("session:s1")?.entries[0]?.decision_id, id);
    assert.equal(it.state.queues.get("name:shop/billing"), undefined);
  });

  it("never comes from an agent that oj runs", () => {
    const it = world();
    found(it, "s1", "100.7");
    const id = ask(it, "s1", { processes: ["100.7"] }, asker("bot", { agent_id: "agt-1" }));
    assert.equal(owner(it, id), null);
  });
});
