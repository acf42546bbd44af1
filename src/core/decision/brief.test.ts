import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { briefOf } from "./brief.ts";

type Input = Parameters<typeof briefOf>[0];

const asked = {
  id: "dec-1",
  project: "p",
  source: "request",
  state: "pending",
  title: "Ship it?",
  urgency: "medium",
  owner: { kind: "requester", id: "a", name: "a" },
  agent_id: null,
  created_at_ms: 1,
  held: null,
  action: null,
  questions: [],
  template: null,
  options: [{ key: "yes", label: "Yes" }],
} as unknown as Input;

const of = (more: object) => briefOf({ ...asked, ...more } as Input);
const vote = (who: string, label: string) => ({
  who,
  answer: { labels: [label], text: null, message: null },
});

describe("a decision in a list", () => {
  it("says that nothing waits for it, and says nothing otherwise", () => {
    const rows: [object, boolean | undefined][] = [
      [{}, undefined],
      [{ aside: {} }, false],
      [{ aside: {}, promoted: {} }, undefined],
      [{ aside: {}, blocks: [] }, false],
      [{ aside: {}, blocks: ["job-1"] }, undefined],
      [{ blocking: false }, false],
      [{ blocking: true }, undefined],
      // what a view says counts, whatever else is known
      [{ blocking: true, aside: {} }, undefined],
      [{ blocking: false, blocks: ["job-1"] }, false],
    ];
    for (const [more, blocking] of rows) assert.equal(of(more).blocking, blocking, JSON.stringify(more));
  });

  it("says how many people it takes, and what they have said, from two on", () => {
    const votes = [vote("ana", "Yes"), vote("ben", "No")];
    const rows: [object, object][] = [
      [{}, {}],
      [{ votes }, {}],
      [{ rule: {}, votes }, {}],
      [{ rule: { min: 1 }, votes }, {}],
      [{ rule: { min: 2 } }, { min: 2, said: [] }],
      [
        { rule: { min: 3 }, votes },
        {
          min: 3,
          said: [
            { who: "ana", says: "Yes" },
            { who: "ben", says: "No" },
          ],
        },
      ],
    ];
    for (const [more, expected] of rows) {
      const { min, said } = of(more);
      assert.deepEqual(JSON.parse(JSON.stringify({ min, said })), expected, JSON.stringify(more));
    }
  });

  it("counts the askers from two on", () => {
    for (const [count, shown] of [
      [undefined, undefined],
      [1, undefined],
      [2, 2],
    ])
      assert.equal(of({ count }).count, shown);
  });
});
