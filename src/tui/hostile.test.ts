import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decision, NOW } from "../../test/fakes/fake-client.ts";
import { hostileTexts } from "../../test/fakes/hostile-texts.ts";
import { desk } from "../../test/fakes/inbox.ts";
import type { DecisionView } from "../api.ts";
import { uncoloured, widthOf } from "../cli/layout.ts";
import { colours } from "../cli/output.ts";
import { frame } from "./frame.ts";
import { screenText } from "./peek.ts";

/** Controls, bidirectional and invisible characters. The joiner and the selector of emoji may stay. */
const RAW =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;

/** Every field of a decision that holds words. */
const fields: Record<string, (text: string) => DecisionView> = {
  title: (text) => decision({ title: text }),
  context: (text) => decision({ context: text }),
  fields: (text) => decision({ context: JSON.stringify({ a: text }, null, 2), fields: { a: text } }),
  project: (text) => decision({ project: text }),
  owner: (text) => decision({ owner: { kind: "requester", id: text, name: text }, requested_by: text }),
  options: (text) => decision({ options: [{ label: text, description: text, effect: text, key: text }] }),
  template: (text) => decision({ template: text, blocks: [text] }),
  action: (text) =>
    decision({ source: "approval", action: { tool: text, input: { command: text }, sha256: "0" } }),
  questions: (text) =>
    decision({
      source: "question",
      questions: [1, 2].map(() => ({
        question: text,
        header: text,
        multi_select: true,
        options: [{ label: text, description: text }],
      })),
    }),
};

const SIZE = { columns: 80, rows: 24, now: NOW, style: colours, scroll: 0, peeked: [] };

function assertHarmless(lines: readonly string[], text: string): void {
  for (const line of lines) {
    assert.doesNotMatch(uncoloured(line), RAW, JSON.stringify(text));
    assert.ok(widthOf(line) <= 80, JSON.stringify([text, line]));
  }
}

describe("hostile words on the screen of the inbox", () => {
  it("are more than two hundred", () =>
    assert.ok(new Set(hostileTexts).size >= 200, `${hostileTexts.length}`));

  for (const [name, make] of Object.entries(fields))
    it(`do nothing in ${name}`, () => {
      for (const text of hostileTexts) {
        const it = desk(make(text));
        assertHarmless(frame(it.inbox, SIZE).lines, text);
        it.put({ type: "refused", id: "dec-x", error: { code: "timeout", message: text, hint: null } });
        assertHarmless(frame(it.inbox, SIZE).lines, text);
      }
    });

  it("do nothing in what is typed, filtered by, or seen in a terminal", () => {
    for (const text of hostileTexts) {
      const it = desk(decision());
      it.press("t");
      it.put({ type: "typed", id: it.inbox.selected ?? "", field: "text", text });
      it.put({ type: "filtered", text });
      const peeked = screenText(text, 80, { coloured: false });
      assertHarmless([...frame(it.inbox, SIZE).lines, ...peeked], text);
    }
  });
});
