/** The model of delivery with trouble: kills of daemon and agent, full disks, lost keys, reports that come late. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { CASES } from "../model/cases.ts";
import { explore } from "../model/explore.ts";
import { RULES } from "../model/moves.ts";
import { PLANTED } from "../model/planted.ts";

/** Not mended yet: what the model still finds, each after a kill. */
const OPEN: Record<string, RegExp> = {
  // another dialog covers the one whose change can't be delivered: that is tried until somebody looks at the terminal
  "approve, changed": /there is no way on/,
  // the context was cleared, and every report of that was lost: the old file never says how the plan ended
  "revise a plan": /acknowledged, and nobody heard it/,
};

describe("between an answer and its agent, with one trouble anywhere", () => {
  it.each(CASES)("it arrives once, or whoever answered is told: $name", (one) => {
    const { wrong, states } = explore(one, RULES, 1);
    const told = wrong ? [wrong.what, ...wrong.trace].join("\n") : "nothing";
    assert.match(told, OPEN[one.name] ?? /^nothing$/);
    assert.ok(states > 1000, `${states} states`);
  });

  it.each(PLANTED.filter((it) => it.slow))(
    "a planted bug is found: $name",
    ({ at, troubles, breaks, rules }) => {
      const one = CASES.find((it) => it.name === at) ?? assert.fail(at);
      assert.match(explore(one, { ...RULES, ...rules }, troubles).wrong?.what ?? "nothing was found", breaks);
    },
  );
});
