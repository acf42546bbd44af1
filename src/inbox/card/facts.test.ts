import assert from "node:assert/strict";
import { it } from "vitest";
import { decision, NOW } from "../../../test/fakes/fake-client.ts";
import type { DecisionView } from "../../api/api.ts";
import { factsOf } from "./facts.ts";

const again = (more: Partial<DecisionView>) =>
  factsOf(decision(more), { agent: null, folder: null }, NOW).find((it) => it.name === "again")?.text ?? null;
const asked = (...states: ("waiting" | "acknowledged" | "failed")[]) => ({
  count: states.length + 1,
  repeats: states.map((state, n) => ({ key: String(n), at_ms: NOW, state })),
});

it("says who else waits for the answer, and never that one has it who may not", () => {
  const table: [string | null, Partial<DecisionView>][] = [
    [null, {}],
    ["2 times more: each gets the answer", asked("waiting", "waiting")],
    ["1 time more: the answer is for each", { state: "resolved", ...asked("waiting") }],
    ["1 time more: each has the answer", { state: "resolved", ...asked("acknowledged") }],
    [
      "3 times more: the answer is for each; known to have it: 1; it did not reach 1",
      { state: "resolved", ...asked("waiting", "acknowledged", "failed") },
    ],
  ];
  for (const [words, more] of table) assert.equal(again(more), words);
});

it("says which answer is on hold", () => {
  const answer = { chosen: 1, choices: [[1]], labels: ["Build it"], text: null, message: null };
  const by = { by: "ana", via: "web", resolved_at_ms: NOW } as const;
  const given = { choices: [[1]], option: null, text: null, message: null };
  const held = { given, answer: { ...answer, ...by }, held_at_ms: NOW, release_at_ms: NOW + 5000 };
  const onHold = (it: DecisionView["held"]) =>
    factsOf(decision({ held: it }), { agent: null, folder: null }, NOW).find((it) => it.name === "on hold");
  assert.equal(onHold(held)?.text, "Build it, by ana (web): not sent yet");
  assert.equal(onHold(null), undefined);
});
