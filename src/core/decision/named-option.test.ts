import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { numbersNamed, optionNamed } from "./named-option.ts";

const options = [
  { key: "ship-it", label: "Ship it" },
  { key: "yes", label: "Yes" },
  { key: "yes-2", label: "YES" },
  { key: "n-1", label: "1" },
].map((it) => ({ ...it, description: null, recommended: false, action: { type: "answer" as const } }));
const decision = { id: "dec-7k3m9x2p4q" as const, options, questions: [] };

describe("the name of an option", () => {
  it("is its label in any case, or its key", () => {
    for (const word of ["Ship it", "ship IT", " ship  it ", "ship-it"])
      assert.deepEqual(numbersNamed(options, word), [1], word);
    assert.deepEqual(numbersNamed(options, "ship"), []);
  });
  it("is exact where labels differ only in case", () => {
    assert.equal(optionNamed(decision, "YES"), 3);
    assert.equal(optionNamed(decision, "Yes"), 2);
    assert.throws(() => optionNamed(decision, "yEs"), {
      code: "decision.ambiguous",
      message: '"yEs" is the name of options 2 and 3 of dec-7k3m9x2p4q',
    });
  });
  it("is suggested if it was misspelled", () =>
    assert.throws(() => optionNamed(decision, "shipit"), {
      code: "decision.out-of-range",
      message: 'dec-7k3m9x2p4q has no option "shipit"; did you mean "Ship it"?',
      hint: /1 Ship it {2}2 Yes/,
    }));
});
