import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decision, NOW } from "../../../test/fakes/fake-client.ts";
import type { ChainBranch } from "../../api/api.ts";
import { plain } from "../base/output.ts";
import { chainLines } from "./chain.ts";

const look = { style: plain, width: 60, now: NOW };
const at = (end: string, title: string): ChainBranch => ({
  ...decision({ id: `dec-${end}`, title, created_at_ms: NOW, predecessor: "dec-x" }),
  followed_by: [],
});
const whole = { gone: null, is_cycle: false, left_out: 0, ancestors: [], descendants: [] };

describe("a chain", () => {
  it("is a tree, with the line to the decision first", () => {
    const left = { ...at("22", "Left?"), followed_by: [at("33", "Deep?")] };
    const chain = {
      ...whole,
      ancestors: [at("00", "First?")],
      decision: at("11", "This?"),
      descendants: [left, { ...at("44", "Right?"), predecessor: null, parent: "dec-11" as const }],
    };
    assert.equal(
      chainLines(chain, look).join("\n"),
      `dec-00  First?
│  pending, asked just now
└─ dec-11  This?
   │  pending, asked just now
   ├─ dec-22  Left?
   │  │  pending, asked just now
   │  └─ dec-33  Deep?
   │        pending, asked just now
   └─ dec-44  Right?
         part of dec-11; pending, asked just now`,
    );
  });

  it("says what it leaves out, and what must follow", () => {
    const chain = {
      ...whole,
      decision: { ...at("11", "This?\u001b[31m"), successor: "checkpoint" },
      gone: "dec-00" as const,
      is_cycle: true,
      left_out: 3,
    };
    assert.deepEqual(chainLines(chain, look), [
      "dec-00  no longer kept, or not visible to you",
      "dec-11  This?␛[31m",
      '   pending, asked just now; a "checkpoint" request must follow',
      "(the chain loops back on itself; repeats are left out)",
      "(3 more followed from these)",
    ]);
  });

  it("stays within bounds however long it is", () => {
    let branch = at("99", "Last?");
    for (let depth = 0; depth < 400; depth++) branch = { ...at("11", "More?"), followed_by: [branch] };
    const lines = chainLines({ ...whole, decision: at("00", "First?"), descendants: [branch] }, look);
    assert.equal(lines.length, 804);
    assert.ok(lines.every((it) => it.length < 120));
  });
});
