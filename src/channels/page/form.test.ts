import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decision } from "../../../test/fakes/fake-client.ts";
import type { DecisionView } from "../../api/api.ts";
import { formHtml, readForm } from "./form.ts";

const WORDS = new Map([["words", [" not before Monday "]]]);

function form(view: DecisionView) {
  const [option = null] = view.options;
  const page = formHtml(view, option, { action: "t", given: new Map() }).text;
  return { asks: /class="words">([^<]*)</.exec(page)?.[1], given: readForm(view, option, WORDS) };
}

describe("the form of one option", () => {
  it("asks for the words that an option of ours is nothing without", () => {
    for (const [source, key] of [
      ["question", "other"],
      ["plan", "revise"],
      ["idle", "reply"],
    ] as const)
      assert.equal(form(decision({ source, options: [{ key, label: "In words" }] })).asks, "Your words");
  });

  it("takes words as an optional message where a runbook calls an option other, reply or revise", () => {
    for (const key of ["other", "reply", "revise"]) {
      const { asks, given } = form(decision({ source: "step", options: [{ key, label: "Mine" }] }));
      assert.equal(asks, "A message (optional)", key);
      assert.deepEqual([given.text, given.message], [null, "not before Monday"], key);
    }
  });

  it("fills in Other with the words", () => {
    const { given } = form(decision({ source: "question", options: [{ key: "other", label: "Other" }] }));
    assert.deepEqual(given.text, "not before Monday");
    assert.equal(given.message, null);
  });
});
