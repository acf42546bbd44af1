import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { World } from "../../../test/fakes/core.ts";
import { asker, jobDef, requestInput, world } from "../../../test/fakes/core.ts";
import type { DecisionId } from "../model/ids.ts";
import { findDecision } from "../model/state/find.ts";
import { requestDecision } from "../request/request.ts";
import type { RequestInput } from "../request/types.ts";
import { acknowledge, cancelDecision, deliver } from "./decision.ts";
import type { ResolveInput } from "./give.ts";
import { resolveDecision } from "./give.ts";

const ask = requestInput({ recommend: 1, blocks: ["PROJ-7"] });

function asked(it: World, more: Partial<RequestInput> = {}): DecisionId {
  const events = it.play((state, moment) => requestDecision(state, { ...ask, ...more }, moment));
  const created = events.find((event) => event.type === "decision:created");
  if (created?.type !== "decision:created") throw new Error("nothing was asked");
  return created.id;
}

function resolve(it: World, id: string, more: Partial<ResolveInput>): void {
  it.play((state, moment) =>
    resolveDecision(
      state,
      { id, choices: [], text: null, message: null, by: "ana", via: "cli", ...more },
      moment,
    ),
  );
}

const refusal =
  (code: string, message: RegExp, hint?: RegExp) =>
  (error: { code: string; message: string; hint: string }) => {
    assert.equal(error.code, code);
    assert.match(error.message, message);
    if (hint) assert.match(error.hint, hint);
    return true;
  };

describe("finding a decision", () => {
  it("takes any unique prefix, with or without its kind, in any case", () => {
    const it = world();
    const id = asked(it);
    for (const text of [id, id.slice(0, 6), id.slice(4), id.toUpperCase()])
      assert.equal(findDecision(it.state, text).id, id);
  });

  it("lists the candidates for an ambiguous prefix and refuses an unknown or empty one", () => {
    const it = world();
    asked(it, { requester: asker("a") });
    asked(it, { requester: asker("b") });
    assert.throws(
      () => findDecision(it.state, "dec-00"),
      refusal("decision.ambiguous", /2 decisions/, /dec-0001 {2}dec-0002/),
    );
    assert.throws(() => findDecision(it.state, "zz"), refusal("decision.not-found", /no decision zz/));
    assert.throws(() => findDecision(it.state, "dec-"), { code: "decision.not-found" });
    assert.throws(() => findDecision(it.state, ""), { code: "decision.not-found" });
  });
});

describe("answering", () => {
  it("records choice, label, message, who and how, and owes the delivery to a requester", () => {
    const it = world();
    const id = asked(it);
    resolve(it, id, { choices: [[2]], message: "small is fine" });
    const { answer, state, delivery } = findDecision(it.state, id);
    assert.equal(state, "resolved");
    assert.equal(delivery.state, "owed");
    assert.deepEqual(
      { ...answer, resolved_at_ms: 0 },
      {
        chosen: 2,
        choices: [[2]],
        labels: ["SQLite"],
        text: null,
        message: "small is fine",
        by: "ana",
        via: "cli",
        resolved_at_ms: 0,
      },
    );
  });

  it("refuses a second answer and names the winner", () => {
    const it = world();
    const id = asked(it);
    resolve(it, id, { choices: [[1]] });
    assert.throws(
      () => resolve(it, id, { choices: [[2]], by: "bob" }),
      refusal("decision.already-resolved", /already answered: Postgres, by ana \(cli\)/),
    );
  });

  it("refuses a number out of range, with the options and the next thing to type", () => {
    const it = world();
    const id = asked(it);
    for (const choice of [0, 3, -1, 1.5]) {
      assert.throws(
        () => resolve(it, id, { choices: [[choice]] }),
        refusal(
          "decision.out-of-range",
          /has 2 options/,
          /1 Postgres \(recommended\) {2}2 SQLite\noj decision resolve/,
        ),
      );
    }
  });

  it("refuses an empty answer, blanks, and two choices", () => {
    const it = world();
    const id = asked(it);
    assert.throws(() => resolve(it, id, {}), { code: "decision.nothing-given" });
    assert.throws(() => resolve(it, id, { message: "  " }), { code: "decision.nothing-given" });
    assert.throws(() => resolve(it, id, { choices: [[1], [2]] }), { code: "decision.wrong-count" });
    assert.throws(() => resolve(it, id, { choices: [[1, 2]] }), { code: "decision.wrong-count" });
  });

  it("takes free text for a request, but requires a choice where a job must go somewhere", () => {
    const it = world();
    const id = asked(it);
    resolve(it, id, { message: "neither: use DuckDB" });
    assert.equal(findDecision(it.state, id).answer?.chosen, null);
    it.start(jobDef({ ask: { decision: {} } }));
    assert.throws(() => resolve(it, it.pending()[0] ?? "", { message: "hm" }), {
      code: "decision.choice-required",
    });
  });

  it("is delivered and acknowledged once", () => {
    const it = world();
    const id = asked(it);
    assert.deepEqual(
      it.play((state, moment) => deliver(state, { id }, moment)),
      [],
    );
    resolve(it, id, { choices: [[1]] });
    it.play((state, moment) => deliver(state, { id }, moment));
    it.play((state, moment) => acknowledge(state, { id }, moment));
    assert.equal(findDecision(it.state, id).delivery.state, "acknowledged");
    assert.deepEqual(
      it.play((state, moment) => acknowledge(state, { id }, moment)),
      [],
    );
  });
});

describe("asking", () => {
  it("supersedes the pending request of the same agent, with a link both ways", () => {
    const it = world();
    const first = asked(it);
    const second = asked(it);
    assert.equal(findDecision(it.state, first).state, "superseded");
    assert.equal(findDecision(it.state, first).superseded_by, second);
    assert.equal(findDecision(it.state, second).supersedes, first);
    assert.throws(
      () => resolve(it, first, { choices: [[1]] }),
      refusal("decision.already-resolved", new RegExp(`superseded by ${second}`)),
    );
  });

  it("leaves requests from others and from people alone", () => {
    const it = world();
    asked(it);
    asked(it, { requester: asker("ana", { is_agent: false }) });
    asked(it, { requester: asker("ana", { is_agent: false }) });
    asked(it, { project: "other" });
    assert.equal(it.pending().length, 4);
  });

  it("keeps recommended, blocks and the exact prompt", () => {
    const it = world();
    const prompt = "Ünïcode\n# not a heading\n--- {} ${var.x}";
    const decision = findDecision(it.state, asked(it, { prompt }));
    assert.equal(decision.title, prompt);
    assert.deepEqual(decision.blocks, ["PROJ-7"]);
    assert.deepEqual(
      decision.options.map((one) => one.recommended),
      [true, false],
    );
  });
});

describe("cancelling", () => {
  it("withdraws a request once, and refuses what a job asks", () => {
    const it = world();
    const id = asked(it);
    it.play((state, moment) => cancelDecision(state, { id, by: "bot", reason: null }, moment));
    assert.equal(findDecision(it.state, id).state, "withdrawn");
    assert.throws(
      () => it.play((state, moment) => cancelDecision(state, { id, by: "bot", reason: null }, moment)),
      { code: "decision.already-resolved" },
    );
    it.start(jobDef({ ask: { decision: {} } }));
    const ofJob = it.pending()[0] ?? "";
    assert.throws(
      () => it.play((state, moment) => cancelDecision(state, { id: ofJob, by: "ana", reason: null }, moment)),
      { code: "decision.not-a-request" },
    );
  });
});
