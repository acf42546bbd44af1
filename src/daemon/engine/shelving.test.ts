import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { asker, jobDef, requestInput, world } from "../../../test/fakes/core.ts";
import { fakeShelf } from "../../../test/fakes/fake-shelf.ts";
import { fakePorts } from "../../../test/fakes/ports.ts";
import { settled } from "../../../test/fakes/settled.ts";
import { clients } from "../../agents/known/clients.ts";
import type { DecisionQuery } from "../../api/api.ts";
import { deleteJob } from "../../core/control/job.ts";
import { chainOf } from "../../core/decision/chain.ts";
import { acknowledge, cancelDecision, deliver, undeliver } from "../../core/decision/decision.ts";
import { holdAnswer, releaseAnswer, resolveDecision } from "../../core/decision/give.ts";
import { undoAnswer } from "../../core/decision/undo.ts";
import type { Fact } from "../../core/model/events.ts";
import type { DecisionId, JobId, Moment } from "../../core/model/ids.ts";
import type { State, WholeState } from "../../core/model/state/state.ts";
import { apply, emptyState, replay } from "../../core/model/state/state.ts";
import { decodeState, encodeState } from "../../core/model/state/state-text.ts";
import { owed } from "../../core/owed.ts";
import { requestDecision } from "../../core/request/request.ts";
import { forgetOld } from "../../core/retention.ts";
import { listed } from "../views/listed.ts";
import { chainView, dashboardView, ownView } from "../views/overview.ts";
import { decisionView } from "../views/views.ts";
import { startEngine } from "./engine.ts";
import { startShelving } from "./shelving.ts";

type Rule = (state: State, moment: Moment) => Fact[];

/** Numbers that look random but are the same each time. */
function numbers(seed: number): (below: number) => number {
  let now = seed;
  return (below) => {
    now = (Math.imul(now, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((now / 2 ** 32) * below);
  };
}

/** A history in which everything that can happen to decisions happens, in any order. */
function historyOf(seed: number, steps: number, each: (rule: Rule, facts: string) => void) {
  const it = world();
  const pick = numbers(seed);
  const anyOf = <T>(all: readonly T[]): T | undefined => all[pick(all.length)];
  const ids = () => [...it.state.decisions.keys()];
  const jobs: JobId[] = [];
  const answer = (id: string) => ({
    id,
    choices: [[1 + pick(2)]],
    text: null,
    message: pick(2) ? `words ${pick(99)}` : null,
    by: "ana",
    via: "cli" as const,
  });
  const acts: (() => Rule | null)[] = [
    () => (state, moment) => {
      const [linked] = [anyOf(ids())];
      const isAnswered = linked !== undefined && state.decisions.get(linked)?.state === "resolved";
      const input = requestInput({
        requester: asker(`bot-${pick(4)}`, { is_agent: pick(3) > 0 }),
        prompt: `Which of ${pick(1000)}? ä🙂`,
        context: `line ${pick(10)}\n`.repeat(pick(30)),
        fields: { n: pick(9), list: ["a", "b"] },
        project: "shop",
        predecessor: isAnswered && pick(2) ? linked : null,
        parent: linked !== undefined && pick(3) === 0 ? linked : null,
      });
      return requestDecision(state, input, moment);
    },
    () => (state, moment) => resolveDecision(state, answer(anyOf([...state.pending]) ?? ""), moment),
    () => (state, moment) => resolveDecision(state, answer(anyOf(ids()) ?? ""), moment),
    () => (state, moment) => deliver(state, { id: anyOf(ids()) as DecisionId }, moment),
    () => (state, moment) => acknowledge(state, { id: anyOf(ids()) as DecisionId }, moment),
    () => (state, moment) => undeliver(state, { id: anyOf(ids()) as DecisionId }, moment),
    () => (state, moment) =>
      cancelDecision(state, { id: anyOf([...state.pending]) ?? "", by: "ana", reason: "no" }, moment),
    () => (state, moment) =>
      holdAnswer(state, { ...answer(anyOf([...state.pending]) ?? ""), delay_ms: 5000 }, moment),
    () => (state, moment) => undoAnswer(state, { id: anyOf([...state.held]) ?? "", by: "ana" }, moment),
    () => (state, moment) => releaseAnswer(state, { id: anyOf([...state.held]) as DecisionId }, moment),
    () => (state) => forgetOld(state, { before_ms: 0, max_decisions: 30 + pick(20), limit: 5 }),
    () => {
      jobs.push(it.start(jobDef({ ask: { decision: {} }, after: {} })));
      return null;
    },
    () => (state, moment) => deleteJob(state, { id: anyOf(jobs) ?? "", by: "ana" }, moment),
    () => () => [
      {
        type: "effect:failed",
        project: "shop",
        key: `deliver ${pick(3)}`,
        effect: "deliver",
        attempt: pick(5),
        error: "no",
        retry_at_ms: null,
        decision_id: anyOf(ids()) ?? null,
      } as unknown as Fact,
    ],
    () => () => [
      {
        type: "effect:late",
        project: "shop",
        key: `deliver ${pick(3)}`,
        effect: "deliver",
        waits_for: `terminal ${pick(9)}`,
        decision_id: anyOf(ids()) ?? null,
      } as unknown as Fact,
    ],
  ];
  for (let step = 0; step < steps; step++) {
    const at = it.events.length;
    const rule = acts[pick(acts.length)]?.() ?? null;
    if (rule) {
      try {
        it.play(rule);
      } catch (error) {
        if (!(error as { code?: string }).code) throw error; // a refusal is as good as an answer
      }
    }
    each(rule ?? (() => []), JSON.stringify(it.events.slice(at)));
  }
  return it;
}

async function shownBy(state: WholeState): Promise<string> {
  const engine = startEngine(fakePorts(), state);
  const bytes = (it: Parameters<typeof decisionView>[0]) => Buffer.from(JSON.stringify(decisionView(it)));
  const list = async (query: DecisionQuery) =>
    (await listed(engine, query, () => true, bytes)).items.map((it) => it.toString());
  const ids = [...state.decisions.keys()];
  return JSON.stringify({
    show: ids.map((id) => decisionView(state.decisions.get(id) as never)),
    all: await list({ all: true }),
    pending: await list({}),
    resolved: await list({ state: "resolved" }),
    searched: await list({ all: true, search: "line 3" }),
    page: await list({ all: true, limit: 7, before: ids[Math.floor(ids.length / 2)] as string }),
    chains: ids.map((id) => chainView(chainOf(state, state.decisions.get(id) as never, () => true))),
    own: [0, 1, 2, 3].map((n) => ownView(state, asker(`bot-${n}`), "shop")),
    dashboard: dashboardView(state, { project: undefined, now: 2_000_000, stale_after_ms: 1 }),
    old: forgetOld(state, { before_ms: 1_200_000, max_decisions: 10, limit: 100 }),
    owed: owed(state),
  });
}

describe("settled decisions on the shelf", () => {
  for (const seed of [1, 2, 3, 4, 5, 6])
    it(`change nothing visible, whatever happens to them (history ${seed})`, async () => {
      const shelf = fakeShelf();
      const other = emptyState();
      other.decisions.use(shelf);
      const pick = numbers(seed + 100);
      const it = historyOf(seed, 600, (_, events) => {
        for (const event of JSON.parse(events)) apply(other, event);
        shelf.fill(pick(10) === 0); // a full disk, now and then
        other.decisions.shelve({ keep: pick(5), most: pick(20) });
      });
      while (other.decisions.shelve({ keep: 0, most: 10 }));
      shelf.fill(false);
      other.decisions.shelve({ keep: 0, most: 1000 });
      const settledOnes = other.decisions.size - other.pending.size;
      assert.ok(settledOnes > 20, "the history has too little in it");
      assert.equal(shelf.size(), settledOnes);
      const text = encodeState(it.state);
      assert.equal(encodeState(other), text);
      assert.equal(encodeState(replay(it.events)), text);
      assert.equal(await shownBy(other), await shownBy(it.state));
      assert.equal(shelf.size(), settledOnes, "looking took something off the shelf");

      const again = decodeState(text);
      again.decisions.use(fakeShelf());
      while (again.decisions.shelve({ keep: 0, most: 10 }));
      assert.equal(encodeState(again), text);
      assert.equal(await shownBy(again), await shownBy(it.state));
    });

  it("are treated by rules as before", () => {
    const shelf = fakeShelf();
    const other = emptyState();
    other.decisions.use(shelf);
    const moment: Moment = { at_ms: 5_000_000, id: (kind) => `${kind}-same` as never, clients };
    const outcome = (rule: Rule, state: State) => {
      try {
        return JSON.stringify(rule(state, moment));
      } catch (error) {
        return (error as Error).message;
      }
    };
    const it = historyOf(9, 500, (_, events) => {
      for (const event of JSON.parse(events)) apply(other, event);
      other.decisions.shelve({ keep: 0, most: 100 });
    });
    for (const id of it.state.decisions.keys())
      for (const rule of [
        (state, now) =>
          resolveDecision(state, { id, choices: [[1]], text: null, message: null, by: "b", via: "cli" }, now),
        (state, now) => deliver(state, { id }, now),
        (state, now) => acknowledge(state, { id }, now),
        (state, now) => undeliver(state, { id }, now),
        (state, now) => requestDecision(state, requestInput({ predecessor: id }), now),
      ] satisfies Rule[])
        assert.equal(outcome(rule, other), outcome(rule, it.state));
  });

  it("are put there once enough others were settled after them, and taken down when something happens", async () => {
    const shelf = fakeShelf();
    const state = emptyState();
    state.decisions.use(shelf);
    const engine = startEngine(fakePorts({ shelf: () => shelf }), state);
    const shelving = startShelving(engine);
    const ids: DecisionId[] = [];
    for (let n = 0; n < 400; n++) {
      const [event] = await engine.run((state, moment) =>
        requestDecision(state, requestInput({ requester: asker(`bot-${n}`) }), moment),
      );
      const { id } = event as { id: DecisionId };
      ids.push(id);
      const given = { choices: [[1]], text: null, message: null, by: "ben", via: "cli" as const };
      await engine.run((state, moment) => resolveDecision(state, { id, ...given }, moment));
    }
    await settled();
    assert.equal(shelf.size(), 400 - 256);
    const first = ids[0] as DecisionId;
    await engine.run((state, moment) => deliver(state, { id: first }, moment));
    await settled();
    assert.equal(await engine.read((state) => state.decisions.get(first)?.delivery.state), "delivered");
    assert.equal(shelf.size(), 400 - 256);
    shelving.stop();
  });
});
