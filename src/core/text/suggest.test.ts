import assert from "node:assert/strict";
import fc from "fast-check";
import { describe, it } from "vitest";
import { suggest } from "./suggest.ts";

const attributes = ["prompt", "prompt_file", "description", "on_done", "on_dead", "run", "env"];

describe("suggest", () => {
  it.each([
    ["promt", "prompt"],
    ["prompt_flie", "prompt_file"],
    ["desc", "description"],
    ["on_doen", "on_done"],
    ["RUN", "run"],
    ["rn", "run"],
    ["envs", "env"],
  ])("takes %s for %s", (word, meant) => assert.equal(suggest(word, attributes), meant));

  it.each(["x", "", "zebra", "workspace", "q".repeat(5000)])("has no idea for %s", (word) =>
    assert.equal(suggest(word, attributes), null),
  );

  it("takes the first of equally close words", () =>
    assert.equal(suggest("on_dxne", ["on_done", "on_dane"]), "on_done"));

  it("always finds a word itself", () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z_]{1,30}$/),
        (word) => suggest(word, [...attributes, word]) === word,
      ),
    );
  });
});
