import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { jobDef, stepLine, world } from "../../../test/fakes/core.ts";
import { owed } from "../owed.ts";
import { findMachine, forgetMachine, machineJoined, nameOf } from "./machine.ts";

const by = "ana";

describe("a machine", () => {
  it("keeps the name under which it joined, and gets one that is free", () => {
    const it = world();
    const join = (key: string, name: string) =>
      it.play((state) => machineJoined(state, { key, name })).length;
    assert.deepEqual(
      [join("1", "box"), join("2", "box"), join("3", "box"), join("2", "other")],
      [1, 1, 1, 0],
    );
    assert.deepEqual(
      ["1", "2", "3", "4"].map((key) => nameOf(it.state, key)),
      ["box", "box-2", "box-3", null],
    );
  });

  it("that is forgotten leaves nothing owed, whatever ran there", () => {
    const it = world();
    it.play((state) => machineJoined(state, { key: "1", name: "anvil" }));
    const jobs = [
      it.start(jobDef({ a: {}, b: {} })),
      it.start(jobDef({ ask: { decision: {}, on_cancel: { step: "tidy" } }, tidy: {} })),
      it.start(
        jobDef({ a: { on_cancel: { step: "tidy" } }, tidy: { on_cancel: { step: "more" } }, more: {} }),
      ),
    ];
    it.play((state, moment) => forgetMachine(state, { name: "anvil", by }, moment));
    assert.deepEqual(
      jobs.map((id) => it.job(id).status),
      ["cancelled", "cancelled", "cancelled"],
      jobs.map((id) => stepLine(it.job(id))).join("; "),
    );
    assert.equal(it.job(jobs[0] as never).reason, "the machine anvil was forgotten");
    assert.deepEqual(owed(it.state), []);
    assert.throws(() => findMachine(it.state, "anvil"), { code: "machine.not-found" });
    assert.throws(() => machineJoined(it.state, { key: "1", name: "anvil" }), { code: "store.fenced" });
  });
});
