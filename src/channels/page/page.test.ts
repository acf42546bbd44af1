import assert from "node:assert/strict";
import { it } from "vitest";
import { decision, NOW } from "../../../test/fakes/fake-client.ts";
import { hostileTexts, RAW } from "../../../test/fakes/hostile-texts.ts";
import { describe } from "../../inbox/card/describe.ts";
import type { ShownRule } from "../text/rule.ts";
import { askPage, settledPage } from "./page.ts";

/** Every text of a decision says this. */
function saying(text: string) {
  return decision({
    source: "question",
    title: text,
    context: text,
    fields: { [text]: text },
    owner: { kind: "job", id: "job-1", name: text, step: text },
    questions: [
      { question: text, header: text, multi_select: false, options: [{ label: text, description: text }] },
    ],
    action: { tool: text, input: { command: text, [text]: text }, sha256: "" },
    options: [{ key: text, label: text, description: text, effect: text }],
    answer: {
      chosen: 1,
      choices: [[1]],
      labels: [text],
      text,
      message: text,
      by: text,
      via: "cli",
      resolved_at_ms: NOW,
    },
  });
}

const OURS = new Set(
  "!doctype html head meta title style body main p h1 h2 section blockquote pre code ins del details summary form fieldset legend label input span br textarea button table tr th td div strong".split(
    " ",
  ),
);

const ruled = (text: string): ShownRule => ({
  ...{ type: "whole", text, hash: text, lines: [text] },
  choices: [{ number: 2, scope: "job", label: text, effect: text, problem: null }],
});

it("shows no tag, attribute or hidden character that came from outside", () => {
  for (const text of hostileTexts) {
    const asked = {
      decision: saying(text),
      card: describe(saying(text), NOW),
      person: text,
      now: NOW,
      showsAll: true,
    };
    const [option = null] = asked.decision.options;
    const given = new Map([["words", [text]]]);
    for (const page of [
      askPage(asked, { option, action: "t", claim: "c", given, rule: null, note: { isGood: false, text } }),
      askPage(asked, {
        ...{ option: null, action: "t", claim: "c", given, note: null },
        rule: { shown: ruled(text), action: "r" },
      }),
      askPage(asked, {
        ...{ option: null, action: "t", claim: "c", given, note: null },
        rule: { shown: { type: "none", why: text }, action: "r" },
      }),
      settledPage({ ...asked, decision: { ...asked.decision, state: "resolved" } }, { isGood: true, text }),
    ]) {
      for (const [tag, name = ""] of page.matchAll(/<\/?([^\s>]*)[^>]*>/g)) {
        assert.ok(OURS.has(name), tag);
        assert.doesNotMatch(tag, /\son\w+\s*=|javascript:|src=|href=|url\(/i);
      }
      assert.doesNotMatch(page.replace(/[\n\t]/g, ""), RAW);
    }
  }
});
