import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { JobDef, OptionDef, StepDef } from "../model/runbook.ts";
import { nextInOrder, standsAside } from "./order.ts";

const place = { path: "x.hcl", line: 1 };

function step(name: string, more: Partial<StepDef> = {}): StepDef {
  return { ...place, name, run: { type: "shell", script: "true" }, depends_on: [], env: {}, ...more };
}

function asks(name: string, options: OptionDef[]): StepDef {
  return step(name, { run: { type: "decision", decision: { prompt: "?", options } } });
}

function job(steps: StepDef[], more: Partial<JobDef> = {}): JobDef {
  return { ...place, kind: "j", vars: [], defaults: {}, locals: {}, steps, ...more };
}

function order(def: JobDef): string[] {
  const names: string[] = [];
  for (let at = nextInOrder(def, null); at !== null; at = nextInOrder(def, at)) names.push(at);
  return names;
}

describe("the order of steps", () => {
  it("is the order of the file", () => {
    assert.deepEqual(order(job([step("a"), step("b"), step("c")])), ["a", "b", "c"]);
  });

  it("skips a step that only an earlier on_fail or on_cancel names", () => {
    const to = { step: "tidy" };
    assert.deepEqual(order(job([step("a", { on_fail: to }), step("tidy"), step("b")])), ["a", "b"]);
    assert.deepEqual(order(job([step("a", { on_cancel: to }), step("b"), step("tidy")])), ["a", "b"]);
  });

  it("skips a step that only the job itself names", () => {
    for (const route of ["on_done", "on_fail", "on_cancel"]) {
      assert.deepEqual(order(job([step("a"), step("tidy")], { [route]: { step: "tidy" } })), ["a"]);
    }
  });

  it("keeps a step that a later one goes back to", () => {
    assert.deepEqual(order(job([step("a"), step("b", { on_fail: { step: "a" } })])), ["a", "b"]);
  });

  it("keeps a step that is also named by an on_done or an option", () => {
    const failing = step("a", { on_fail: { step: "c" } });
    assert.deepEqual(order(job([failing, step("b", { on_done: { step: "c" } }), step("c")])), [
      "a",
      "b",
      "c",
    ]);
    assert.deepEqual(order(job([failing, asks("b", [{ key: "go", step: "c" }]), step("c")])), [
      "a",
      "b",
      "c",
    ]);
  });

  it("doesn't count a step's retry of itself as naming it", () => {
    const retry = { on_fail: { step: "tidy", attempts: 2 } };
    assert.equal(standsAside(job([step("a"), step("tidy", retry)]), "tidy"), false);
    assert.equal(
      standsAside(job([step("a", { on_fail: { step: "tidy" } }), step("tidy", retry)]), "tidy"),
      true,
    );
  });

  it("doesn't count depends_on as naming a step", () => {
    assert.equal(standsAside(job([step("a"), step("b", { depends_on: ["a"] })]), "a"), false);
  });

  it("continues after an off-path step with the next one in the file", () => {
    assert.equal(nextInOrder(job([step("a", { on_fail: { step: "x" } }), step("x"), step("b")]), "x"), "b");
  });

  it("has nothing to start with if every step is off the path", () => {
    assert.equal(nextInOrder(job([step("a")], { on_fail: { step: "a" } }), null), null);
  });
});
