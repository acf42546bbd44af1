import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { asker, jobDef, requestInput, world } from "../../../test/fakes/core.ts";
import { holdAnswer } from "../decision/give.ts";
import { undoAnswer } from "../decision/undo.ts";
import type { AgeEffect } from "../model/effects.ts";
import type { DecisionId } from "../model/ids.ts";
import { isOwed, owed } from "../owed.ts";
import { claimDecision, releaseDecision } from "../reach/claim.ts";
import { grownOld } from "./age.ts";
import { AUTO_CLOSE } from "./auto-close.ts";
import { requestDecision } from "./request.ts";

const HOUR = 3_600_000;
const DUTIES = { routes: false, stale_after_ms: 2 * HOUR };

function asked(input: Parameters<typeof requestInput>[0] = { auto_close_ms: HOUR }) {
  const it = world();
  const created = it.play((state, moment) =>
    requestDecision(state, requestInput({ requester: asker("bot"), ...input }), moment),
  )[0] as { id: DecisionId; created_at_ms: number };
  const ages = () =>
    owed(it.state, DUTIES).filter((one): one is AgeEffect => "until_ms" in one && isAge(one));
  const due = (type: AgeEffect["type"]) => ages().find((one) => one.type === type);
  const decision = () => it.state.decisions.get(created.id);
  const grow = (effect: AgeEffect) => it.play((state, moment) => grownOld(state, effect, moment));
  return { ...it, ...created, ages, due, decision, grow };
}

const isAge = ({ type }: { type: string }) => type === "mark-stale" || type === "auto-close";

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("nothing is due");
  return value;
}

describe("a request that nobody answers", () => {
  it("expires by itself once its time is up, and says so to whoever asked", () => {
    const { due, grow, decision, created_at_ms } = asked();
    const effect = must(due("auto-close"));
    assert.equal(effect.until_ms, created_at_ms + HOUR);
    const types = grow(effect).map((one) => one.type);
    assert.deepEqual(types, ["decision:expired", "inject:queued"]);
    assert.deepEqual(
      [decision()?.state, decision()?.ended?.by, decision()?.ended?.reason, decision()?.answer],
      ["expired", AUTO_CLOSE, "no answer within 1h", null],
    );
    assert.deepEqual(grow(effect), []);
  });

  it("never expires unless the settings say so, and what a job asks never does", () => {
    assert.equal(asked({ auto_close_ms: null }).due("auto-close"), undefined);
    const it = world();
    it.start(jobDef({ ask: { decision: {} } }));
    assert.deepEqual(
      owed(it.state, DUTIES)
        .filter(isAge)
        .map((one) => one.type),
      ["mark-stale"],
    );
  });

  it("goes by its deadline if it has one with a default", () => {
    const overdue = { escalation: null, deadline_ms: 3 * HOUR, default: "1" };
    const { state, ages } = asked({ auto_close_ms: HOUR, overdue });
    assert.deepEqual(
      [ages().map((one) => one.type), owed(state).map((one) => one.type)],
      [["mark-stale"], ["expire"]],
    );
  });

  it("waits while somebody is on it, and has its whole time again afterwards", () => {
    const { play, due, id, grow, decision } = asked();
    const before = must(due("auto-close"));
    const who = { id, by: "ana", via: "cli" } as const;
    play((state, moment) => claimDecision(state, { ...who, for_ms: null }, moment));
    assert.equal(due("auto-close"), undefined);
    const [released] = play((state, moment) => releaseDecision(state, { ...who, config: null }, moment));
    const after = must(due("auto-close"));
    assert.equal(after.until_ms, (released as unknown as { at_ms: number }).at_ms + HOUR);
    assert.equal((released as { closes_at_ms?: number }).closes_at_ms, after.until_ms);
    assert.deepEqual(grow(before), []);
    assert.equal(decision()?.state, "pending");
    assert.equal(grow(after).length, 2);
  });

  it("waits for an answer on hold, and one that is taken back gives it its whole time again", () => {
    const { play, due, id, grow } = asked();
    const before = must(due("auto-close"));
    const given = { choices: [[1]], text: null, message: null, by: "ana", via: "web" as const };
    play((state, moment) => holdAnswer(state, { id, ...given, delay_ms: 5000 }, moment));
    assert.equal(due("auto-close"), undefined);
    assert.deepEqual(grow(before), []);
    play((state, moment) => undoAnswer(state, { id, by: "ana" }, moment));
    assert.ok(must(due("auto-close")).until_ms > before.until_ms);
  });
});

describe("a decision that waits long", () => {
  it("is stale from then on, which is recorded once", () => {
    const { due, grow, decision, created_at_ms, state } = asked();
    const effect = must(due("mark-stale"));
    assert.equal(isOwed(state, effect), true);
    assert.equal(grow(effect).length, 1);
    assert.deepEqual([decision()?.state, decision()?.stale_since_ms], ["pending", created_at_ms + 2 * HOUR]);
    assert.deepEqual([due("mark-stale"), isOwed(state, effect), grow(effect)], [undefined, false, []]);
  });
});
