import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Event } from "../../core/model/events.ts";
import { historiesOf, trackOf } from "./history.ts";

/** Only what the histories read. */
const events = [
  {
    at_ms: 0,
    type: "agent:created",
    id: "agt-1",
    name: "cart",
    owner: { kind: "job", id: "job-1", name: "cart" },
  },
  {
    at_ms: 5,
    type: "agent:created",
    id: "agt-2",
    name: "other",
    owner: { kind: "crew", id: "crew-2", name: "other" },
  },
  { at_ms: 10, type: "agent:spawned", id: "agt-1", incarnation: 1 },
  {
    at_ms: 20,
    type: "decision:created",
    id: "dec-1",
    agent_id: "agt-1",
    source: "question",
    title: "Which?",
  },
  { at_ms: 30, type: "decision:resolved", id: "dec-1", labels: ["This"], message: "really", by: "ana" },
  { at_ms: 32, type: "decision:delivered", id: "dec-1" },
  { at_ms: 1230, type: "decision:acknowledged", id: "dec-1" },
  { at_ms: 1300, type: "agent:gated", id: "agt-1", passed: false, exit_code: 2 },
  { at_ms: 1400, type: "job:completed", id: "job-1" },
  {
    at_ms: 1500,
    type: "decision:created",
    id: "dec-2",
    agent_id: "agt-9",
    source: "idle",
    title: "Another's",
  },
] as unknown as Event[];

describe("the history of an agent", () => {
  it("is told in order, with what concerned everyone, and nothing about others", () => {
    const crash = { at_ms: 25, text: "(crash)" };
    const [first, ...more] = historiesOf(events, [crash, { at_ms: 9999, text: "later" }]);
    assert.deepEqual(more, []);
    assert.deepEqual(
      first?.moments.map((it) => it.text),
      [
        "started in its own terminal",
        "asks [question]: Which?",
        "(crash)",
        'ana answers: This "really" → delivered after 2ms → acknowledged after 1.2s',
        "its gate fails, exit code 2",
        "the job completed",
      ],
    );
  });

  it("says how far an answer got", () => {
    assert.equal(trackOf("dec-1", events.slice(0, 6)), "answered → delivered after 2ms");
    assert.equal(trackOf("dec-2", events), "");
  });
});
