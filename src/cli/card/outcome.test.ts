import assert from "node:assert/strict";
import { it } from "vitest";
import { decision, NOW } from "../../../test/fakes/fake-client.ts";
import { plain } from "../base/output.ts";
import { outcomeLines } from "./outcome.ts";

const LONG = Array.from({ length: 1000 }, (_, n) => `line ${n}`).join("\n");
const answer = {
  labels: [] as string[],
  text: null,
  message: null,
  by: "ana",
  via: "cli",
  resolved_at_ms: NOW,
};

it("what was just answered is confirmed in one short line, however much was said", () => {
  const saying = (more: object) => {
    const it = decision({
      state: "resolved",
      answer: { ...answer, choices: [], chosen: null, ...more },
    } as never);
    return outcomeLines(it, null, plain)[0] ?? "";
  };
  assert.match(saying({ labels: ["Redis"], message: "for\nnow" }), /answered: Redis {2}"for⏎now"$/);
  assert.match(saying({ message: LONG }), /answered: a message {2}"line 0⏎line 1⏎.{250,300}…"$/);
  assert.match(saying({ text: LONG }), /answered: "line 0⏎line 1⏎.{250,300}…$/);
});
