import assert from "node:assert/strict";
import { it } from "vitest";
import { decision, NOW } from "../../../test/fakes/fake-client.ts";
import { answered } from "../../../test/fakes/fake-door.ts";
import type { DecisionView } from "../../api/api.ts";
import { describe } from "../../inbox/card/describe.ts";
import { digestHeading, digestLines } from "./digest.ts";

const listed = (...all: DecisionView[]) => all.map((it) => ({ decision: it, card: describe(it, NOW) }));
const open = decision({ title: "Ship it?", urgency: "high" });
const claimed = decision({
  title: "Delete it?",
  claimed: { by: "ana", via: "slack", from_ms: NOW, until_ms: NOW + 1_800_000 },
});
const settled = answered(decision({ title: "Merge it?" }), { person: "ben", choices: [[1]] });
const lines = (all: ReturnType<typeof listed>, most = 5) =>
  digestLines(all, { most, longest: 100, now: NOW });

it("says how many still wait, and what became of the rest", () => {
  const all = listed(settled, open, claimed);
  assert.equal(digestHeading(all), "2 decisions wait for you");
  assert.equal(digestHeading(listed(settled)), "1 decision settled");
  assert.deepEqual(lines(all), [
    "urgent: Ship it?",
    "Delete it? (ana is on it, for another 30 minutes)",
    `✓ Merge it?: Answered by ben: ${settled.answer?.labels[0]}`,
  ]);
  assert.deepEqual(lines(all, 1), ["urgent: Ship it?", "and 2 more"]);
});
