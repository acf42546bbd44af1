import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Prompt } from "../model/agent-types.ts";
import type { Occasion } from "./occasion.ts";
import { screenLines } from "./screen-lines.ts";

const shown = (more: Partial<Occasion>) =>
  screenLines({ trigger: "on_idle", source: "idle", title: "", what: "", said: null, tail: "", ...more });

const lines = (...all: string[]) => all.join("\n");

describe("the end of the screen", () => {
  it("is at most fifty lines, without the empty ones below", () => {
    const all = Array.from({ length: 60 }, (_, n) => `line ${n}`);
    assert.equal(shown({ tail: `${all.join("\n")}\n\n \n` }), all.slice(10).join("\n"));
  });

  it("leaves out the plan that the context shows", () => {
    const plan = lines("# Move it", "", "1. **copy** the file", "2. delete the old one");
    const tail = lines(
      "I have read the code.",
      "",
      "│ Move it",
      "│ 1. copy the file",
      "Would you like to go on?",
    );
    const of = (kind: Prompt["kind"], input: unknown) => shown({ tail, prompt: { kind, input } as Prompt });
    assert.equal(of("plan", { plan }), "I have read the code.");
    for (const [kind, input] of [
      ["plan", { plan: "another one" }],
      ["plan", { plan: 7 }],
      ["plan", null],
      ["plan", { plan: "" }],
      ["approval", { plan }],
    ] as const)
      assert.equal(of(kind, input), tail, JSON.stringify([kind, input]));
  });

  it("counts the lines that a gate printed instead of showing them twice, from three on", () => {
    const failure = lines("FAIL a.test", "expected 1", "received 2", "done");
    const of = (tail: string, quote: "gate" | "error" = "gate") =>
      shown({ tail, failure, said: { quote, text: "" } });
    const three = lines("sent back:", "  FAIL a.test", "  expected 1", "  received 2", "looking");
    assert.equal(of(three), lines("sent back:", "  … 3 lines that the gate printed", "looking"));
    const two = lines("sent back:", "FAIL a.test", "expected 1", "looking", "received 2");
    assert.equal(of(two), two, "two may be a coincidence");
    assert.equal(of(three, "error"), three, "no gate has printed it");
    const last = lines("sent back:", "FAIL a.test", "expected 1", "received 2");
    assert.equal(of(last), lines("sent back:", "  … 3 lines that the gate printed"));
  });

  it("counts no empty lines as printed by a gate", () => {
    const failure = lines("FAIL a.test", "", "expected 1");
    const tail = lines("FAIL a.test", "", "", "expected 1", "looking");
    assert.equal(shown({ tail, failure, said: { quote: "gate", text: "" } }), tail);
  });
});
