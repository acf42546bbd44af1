import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { World } from "../../test/fakes/core.ts";
import { asker, requestInput, world } from "../../test/fakes/core.ts";
import { resolveDecision } from "./decision.ts";
import type { DecisionId } from "./ids.ts";
import { requestDecision } from "./request.ts";
import { fromSession } from "./requester.ts";
import { checkTurn, clearTurn, markTurn } from "./turn.ts";

const from = { session: "s1", project: "shop", cwd: "/home/shop" };

const clear = (it: World) => it.play((state) => clearTurn(state, from));
const mark = (it: World, printed: string, began_ms = 0) =>
  it.play((state) => markTurn(state, from, printed, began_ms));

function check(it: World, soft = false): string {
  let verdict = "";
  it.play((state) => {
    const checked = checkTurn(state, from, { soft, last_message: "All done." });
    verdict = checked.verdict;
    return checked.facts;
  });
  return verdict;
}

function ask(it: World, session: string | null): DecisionId {
  const events = it.play((state, moment) =>
    requestDecision(
      state,
      requestInput({
        requester: fromSession(state, asker("ana", { is_agent: false }), session),
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
  it("may end once a decision was offered in it, however often that is asked", () => {
    const it = world();
    clear(it);
    assert.equal(check(it), "blocked");
    answer(it, ask(it, "s1"));
    assert.equal(check(it), "ends");
    assert.equal(check(it), "ends");
    clear(it);
    assert.equal(check(it), "blocked");
  });

  it("may end while a request of the session is pending, whenever that was made", () => {
    const it = world();
    clear(it);
    const id = ask(it, "s1");
    clear(it);
    assert.equal(check(it), "ends");
    answer(it, id);
    assert.equal(check(it), "blocked");
  });

  it("is kept from ending three times in a row at the most, and then let go on record", () => {
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

  it("counts anew after an offer and after a new prompt", () => {
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

  it("of a session that nobody has told of is checked as well", () => {
    const it = world();
    assert.equal(check(it), "blocked");
    assert.deepEqual(
      it.events.map((event) => event.type),
      ["session:found", "session:blocked"],
    );
  });
});

describe("marking a turn", () => {
  it("links a request that the command printed to the session, and its answer goes there", () => {
    const it = world();
    clear(it);
    const id = ask(it, "unknown");
    assert.equal(it.state.decisions.get(id)?.requested_by, "ana");
    mark(it, `asked: ${id}\n`);
    assert.equal(check(it), "ends");
    assert.equal(it.state.decisions.get(id)?.session, "s1");
    answer(it, id);
    assert.equal(it.state.queues.get("session:s1")?.entries.length, 1);
  });

  it("also when it was answered before the hook came", () => {
    const it = world();
    clear(it);
    const id = ask(it, null);
    answer(it, id);
    mark(it, id);
    assert.equal(it.state.queues.get("session:s1")?.entries[0]?.decision_id, id);
  });

  it("is not done by ids of others, of before, or of nothing", () => {
    const it = world();
    it.play((state) => clearTurn(state, { ...from, session: "s2" }));
    const theirs = ask(it, "s2");
    const before = ask(it, null);
    clear(it);
    const earlier = ask(it, null);
    const now = it.events.at(-1)?.at_ms ?? 0;
    mark(it, `${theirs} ${before} dec-9999999999 decdec- ${"dec-0000 ".repeat(1000)}`);
    mark(it, earlier, now + 1);
    assert.equal(check(it), "blocked");
  });
});
