import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { asker, requestInput } from "../../../test/fakes/core.ts";
import { fakePorts } from "../../../test/fakes/ports.ts";
import type { DecisionBrief, DecisionQuery } from "../../api/api.ts";
import { briefOf } from "../../core/decision/brief.ts";
import { resolveDecision } from "../../core/decision/give.ts";
import { settledOf } from "../../core/decision/settled.ts";
import type { Decision } from "../../core/model/decision-types.ts";
import type { DecisionId } from "../../core/model/ids.ts";
import { emptyState } from "../../core/model/state/state.ts";
import { decodeState, encodeState } from "../../core/model/state/state-text.ts";
import { requestDecision } from "../../core/request/request.ts";
import { startEngine } from "../engine/engine.ts";
import { listed } from "./listed.ts";
import { historyNames } from "./select-decisions.ts";

function setup(state = emptyState()) {
  const ports = fakePorts();
  const engine = startEngine(ports, state);
  const bytes = (decision: Decision) => Buffer.from(JSON.stringify(briefOf(decision, settledOf(decision))));

  async function ask(prompt: string): Promise<DecisionId> {
    const [event] = await engine.run((state, moment) =>
      requestDecision(state, requestInput({ prompt, requester: asker("ana", { is_agent: false }) }), moment),
    );
    return (event as { id: DecisionId }).id;
  }

  async function answer(id: DecisionId, message: string | null = null, by = "ben"): Promise<void> {
    const given = { choices: [[1]], text: null, message, by, via: "cli" as const };
    await engine.run((state, moment) => resolveDecision(state, { id, ...given }, moment));
  }

  async function list(query: DecisionQuery): Promise<DecisionBrief[]> {
    const { items } = await listed(engine, query, () => true, bytes);
    return items.map((it) => JSON.parse(it.toString("utf8")));
  }

  const titles = async (query: DecisionQuery) => (await list(query)).map((it) => it.title);
  return { engine, ports, ask, answer, list, titles, bytes };
}

describe("a page of the history", () => {
  it("goes from the newest to the oldest, and the next page continues where it ended", async () => {
    const { ask, answer, list, titles } = setup();
    for (const title of ["a", "b", "c", "d", "e"]) await answer(await ask(title));
    await ask("waits");
    const first = await list({ all: true, limit: 3 });
    assert.deepEqual(
      first.map((it) => it.title),
      ["waits", "e", "d"],
    );
    assert.deepEqual(await titles({ all: true, limit: 3, before: first[2]?.id as string }), ["c", "b", "a"]);
    assert.deepEqual(await titles({ all: true, limit: 9, state: "resolved" }), ["e", "d", "c", "b", "a"]);
    assert.deepEqual(await titles({ limit: 9 }), ["waits"]);
  });

  it("continues after a decision that was answered since", async () => {
    const { ask, answer, titles } = setup();
    await ask("a");
    const b = await ask("b");
    await ask("c");
    await answer(b);
    assert.deepEqual(await titles({ limit: 5, before: b }), ["a"]);
  });

  it("refuses to continue after one that does not exist", async () => {
    const { titles } = setup();
    await assert.rejects(titles({ all: true, before: "dec-nothere" }), { code: "decision.not-found" });
  });
});

describe("the history by date", () => {
  it("has the last settled first, page by page, and nothing that is pending", async () => {
    const { ask, answer, list, titles, ports } = setup();
    const ids: DecisionId[] = [];
    for (const title of ["a", "b", "c", "d"]) ids.push(await ask(title));
    await ask("waits");
    for (const at of [2, 0, 3, 1]) {
      ports.clock.jump(1000);
      await answer(ids[at] as DecisionId);
    }
    assert.deepEqual(await titles({ order: "settled" }), ["b", "d", "a", "c"]);
    const [, last] = await list({ order: "settled", limit: 2 });
    assert.deepEqual(await titles({ order: "settled", limit: 2, before: last?.id as string }), ["a", "c"]);
    assert.deepEqual(await titles({ order: "settled", outcome: "pending", limit: 9 }), ["waits"]);
  });

  it("turns its pages exactly once, also where many were settled at the same moment", async () => {
    const { ask, answer, list } = setup();
    for (let n = 0; n < 25; n++) await answer(await ask(`q${n}`));
    const seen: string[] = [];
    for (let before = {}; ; ) {
      const page = await list({ order: "settled", limit: 4, ...before });
      seen.push(...page.map((it) => it.title));
      if (page.length < 4) break;
      before = { before: page.at(-1)?.id };
    }
    assert.equal(seen.length, 25);
    assert.equal(new Set(seen).size, 25);
  });

  it("can be asked for by person, span, outcome and door", async () => {
    const { ask, answer, list, titles, ports } = setup();
    await answer(await ask("early"), null, "Ana");
    ports.clock.jump(10_000);
    await answer(await ask("late"));
    const [late] = await list({ order: "settled" });
    const since_ms = late?.settled?.at_ms ?? 0;
    assert.deepEqual(await titles({ order: "settled", by: "ana" }), ["early"]);
    assert.deepEqual(await titles({ by: "BEN" }), ["late"]);
    assert.deepEqual(await titles({ order: "settled", since_ms }), ["late"]);
    assert.deepEqual(await titles({ order: "settled", until_ms: since_ms }), ["early"]);
    assert.deepEqual(await titles({ outcome: "answered", order: "settled" }), ["late", "early"]);
    assert.deepEqual(await titles({ outcome: "approved" }), []);
    assert.deepEqual(await titles({ via: "web" }), []);
    assert.equal(late?.settled?.by, "ben");
  });

  it("names everybody who settled one, and every project", async () => {
    const { engine, ask, answer } = setup();
    await answer(await ask("a"), null, "zoe");
    await answer(await ask("b"));
    await ask("waits");
    assert.deepEqual((await engine.read(historyNames)).people, ["ben", "zoe"]);
    assert.equal((await engine.read(historyNames)).projects.length, 1);
  });
});

describe("a search", () => {
  it("finds every word in the texts, options, answers and names, in any case", async () => {
    const { ask, answer, titles } = setup();
    await answer(await ask("Rename the Table"), "mind the ÄRGER");
    await answer(await ask("Drop the table"));
    for (const [search, found] of [
      ["TABLE rename", ["Rename the Table"]],
      ["ärger", ["Rename the Table"]],
      ["postgres ben", ["Rename the Table", "Drop the table"]],
      ["table rename drop", []],
    ] as const) {
      assert.deepEqual((await titles({ all: true, search })).sort(), [...found].sort(), search);
      assert.deepEqual((await titles({ all: true, search, limit: 10 })).sort(), [...found].sort(), search);
    }
  });

  it("leaves a long history as it is stored, and lets others through", async () => {
    const { engine, ask, answer } = setup();
    for (let n = 0; n < 1200; n++) await answer(await ask(`question-${n}`));
    const text = await engine.read((state) => encodeState(state as ReturnType<typeof emptyState>));
    const state = decodeState(text);
    const later = setup(state);
    let passed = 0;
    const searching = later.titles({ all: true, search: "question-7", limit: 1000 });
    const counting = setInterval(() => passed++, 0);
    const found = await searching;
    clearInterval(counting);
    assert.equal(found.length, 111);
    assert.ok(passed > 0, "nothing else ran meanwhile");
    const raw = Map.prototype.values.call(state.decisions);
    assert.ok([...raw].every((it) => typeof it === "string"));
  });
});

describe("a list", () => {
  it("says which event it is current to", async () => {
    const { engine, ask, bytes } = setup();
    const id = await ask("a");
    const { seq, items } = await listed(engine, {}, () => true, bytes);
    assert.equal(seq, engine.seq());
    assert.deepEqual(Object.keys(JSON.parse(items[0]?.toString() ?? "")), [
      "id",
      "project",
      "source",
      "state",
      "title",
      "urgency",
      "owner",
      "agent_id",
      "created_at_ms",
      "held",
      "group",
      "settled",
    ]);
    assert.equal(JSON.parse(items[0]?.toString() ?? "").id, id);
  });

  it("shows what may be read, and no more", async () => {
    const { engine, ask, bytes } = setup();
    await ask("a");
    const hidden = await ask("b");
    for (const query of [{}, { limit: 5 }]) {
      const { items } = await listed(engine, query, (it) => it.id !== hidden, bytes);
      assert.equal(items.length, 1);
    }
  });
});
