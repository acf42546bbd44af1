import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { someOf } from "../../../test/everything.ts";
import { decision, NOW } from "../../../test/fakes/fake-client.ts";
import { hostileDecisions } from "../../../test/fakes/hostile-decision.ts";
import { hostileTexts, RAW } from "../../../test/fakes/hostile-texts.ts";
import { desk, VIEW } from "../../../test/fakes/inbox.ts";
import { uncoloured, widthOf } from "../../text/layout.ts";
import { colours } from "../base/output.ts";
import { frame } from "./frame.ts";
import { screenText } from "./peek.ts";

const SIZE = { columns: 80, rows: 24, now: NOW, style: colours, view: VIEW, peeked: [] };

function assertHarmless(lines: readonly string[], text: string): void {
  const harmful = lines.find((line) => RAW.test(uncoloured(line)) || widthOf(line) > 80);
  if (harmful !== undefined) assert.fail(JSON.stringify([text, harmful])); // as text only if it is needed
}

/** Tall enough for a whole card. */
const TALL = { ...SIZE, rows: 150 };

describe("hostile text on the screen of the inbox", () => {
  it("has more than two hundred samples", () =>
    assert.ok(new Set(hostileTexts).size >= 200, `${hostileTexts.length}`));

  for (const [name, make] of Object.entries(hostileDecisions))
    it(`does nothing in any field of a decision (${name}), nor in what is said about it`, () => {
      for (const text of someOf(hostileTexts, 60)) {
        const view = make(decision(), text);
        const it = desk(view);
        assertHarmless(frame(it.inbox, TALL).lines, text);
        assertHarmless(frame(it.inbox, { ...TALL, view: { ...VIEW, isWhole: true } }).lines, text);
        it.put({ type: "answered", decision: view });
        assertHarmless(frame(it.inbox, SIZE).lines, text);
        it.put({ type: "refused", id: "dec-x", error: { code: "timeout", message: text, hint: null } });
        assertHarmless(frame(it.inbox, SIZE).lines, text);
      }
    });

  it("does nothing in what is typed, filtered by, or seen in a terminal", () => {
    for (const text of someOf(hostileTexts, 60)) {
      const it = desk(decision());
      it.press("t");
      it.put({ type: "typed", id: it.inbox.selected ?? "", field: "text", text });
      it.put({ type: "filtered", text });
      const peeked = screenText(text, 80, { coloured: false });
      assertHarmless([...frame(it.inbox, SIZE).lines, ...peeked], text);
    }
  });
});
