/**
 * The model of delivery with trouble: kills of daemon and agent, full disks, lost keys, reports that come late.
 * `OJ_TROUBLES=2` explores two of them at once: 1.6 million states.
 */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { CASES } from "../model/cases.ts";
import { explore } from "../model/explore.ts";
import { RULES } from "../model/moves.ts";
import { PLANTED } from "../model/planted.ts";

const TROUBLES = Number(process.env.OJ_TROUBLES ?? 1);
/** The largest case has 200,000 states with two troubles. */
const LONGEST_MS = 600_000;

describe(`between an answer and its agent, with trouble anywhere (${TROUBLES})`, () => {
  it.each(CASES)("it arrives once, or whoever answered is told: $name", { timeout: LONGEST_MS }, (one) => {
    const { wrong, states } = explore(one, RULES, TROUBLES);
    assert.equal(wrong ? [wrong.what, ...wrong.trace].join("\n") : "nothing", "nothing");
    assert.ok(states > 1000, `${states} states`);
  });

  it.each(PLANTED.filter((it) => it.slow))(
    "a planted bug is found: $name",
    { timeout: LONGEST_MS },
    ({ at, troubles, breaks, rules }) => {
      const one = CASES.find((it) => it.name === at) ?? assert.fail(at);
      assert.match(explore(one, { ...RULES, ...rules }, troubles).wrong?.what ?? "nothing was found", breaks);
    },
  );
});
