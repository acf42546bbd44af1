import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Event } from "../../core/model/events.ts";
import { plain } from "../base/output.ts";
import { progress } from "./progress.ts";

let at_ms = 0;
const base = { seq: 1, project: "shop", job_id: "job-a" };
const event = (type: string, fields: object) => ({ ...base, at_ms, type, ...fields }) as unknown as Event;

describe("the progress of a job", () => {
  it("shows how long a step took", () => {
    const lines = progress(plain);
    at_ms = 1000;
    assert.deepEqual(lines(event("step:started", { step: "test", entry: 1 })), ["… test"]);
    at_ms = 13_000;
    assert.deepEqual(lines(event("step:completed", { step: "test" })), ["✓ test  12s"]);
  });

  it("shows the question, and how to answer", () => {
    const lines = progress(plain);
    const asked = {
      id: "dec-x",
      owner: { kind: "job", id: "job-a" },
      title: "Ship it?",
      options: [{}, {}, {}],
    };
    assert.deepEqual(lines(event("decision:created", asked)), []);
    assert.deepEqual(lines(event("step:waiting", { step: "ship", decision_id: "dec-x", child_id: null })), [
      "⏸ ship  Ship it?",
      "  → oj decision resolve dec-x <1-3>",
    ]);
  });

  it("shows the answer, and by whom", () => {
    const choice = { label: "Ship it", by: "ana", message: "now" };
    assert.deepEqual(progress(plain)(event("step:completed", { step: "ship", choice })), [
      "✓ ship  Ship it (ana): now",
    ]);
  });

  it("shows the end of the output below a failure, made safe", () => {
    const error = "exit code 3\n\u001b[31mboom\u001b[0m\u001b[2J\n";
    assert.deepEqual(progress(plain)(event("step:failed", { step: "test", error })), [
      "✗ test  exit code 3",
      "  │ boom␛[2J",
    ]);
  });

  it("sets events of a child job apart", () => {
    const lines = progress(plain);
    lines(event("step:waiting", { step: "sub", decision_id: null, child_id: "job-b" }));
    const started = lines(event("step:started", { job_id: "job-b", step: "one", entry: 2 }));
    assert.deepEqual(started, ["  … one  time 2"]);
  });

  it("ignores events it doesn't know", () => {
    assert.deepEqual(progress(plain)(event("agent:spawned", {})), []);
  });
});
