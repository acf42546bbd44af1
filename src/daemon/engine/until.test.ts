import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, it } from "vitest";
import { requestInput } from "../../../test/fakes/core.ts";
import { fakeClock } from "../../../test/fakes/fake-clock.ts";
import { fakeLog } from "../../../test/fakes/fake-log.ts";
import { settled } from "../../../test/fakes/settled.ts";
import { emptyState } from "../../core/model/state/state.ts";
import { requestDecision } from "../../core/request/request.ts";
import { startEngine } from "./engine.ts";
import type { Condition } from "./until.ts";
import { until } from "./until.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {} };
const isAsked: Condition = {
  isSo: (state) => state.pending.size > 0,
  by: (event) => event.type === "decision:created",
  withinMs: 1000,
};

function setup() {
  const clock = fakeClock();
  const engine = startEngine({ log: fakeLog(), clock, journal: silent, random: randomBytes }, emptyState());
  const ask = () => engine.run((state, moment) => requestDecision(state, requestInput(), moment));
  return { clock, engine, ask };
}

describe("waiting until the state says so", () => {
  it("ends at the commit that makes it so", async () => {
    const { clock, engine, ask } = setup();
    const waiting = until(engine, clock, isAsked);
    await settled();
    await ask();
    assert.equal(await waiting, true);
  });

  it("ends at once where it is so already", async () => {
    const { clock, engine, ask } = setup();
    await ask();
    assert.equal(await until(engine, clock, isAsked), true);
  });

  it("ends when the time is up, and looks no more", async () => {
    const { clock, engine, ask } = setup();
    let looks = 0;
    const isSo = () => {
      looks += 1;
      return false;
    };
    const waiting = until(engine, clock, { ...isAsked, isSo });
    await settled();
    clock.pass(1000);
    assert.equal(await waiting, false);
    await ask();
    assert.equal(looks, 1);
  });
});
