import assert from "node:assert/strict";
import { it } from "vitest";
import { decision, NOW, suggestion } from "../../../test/fakes/fake-client.ts";
import { brief } from "../../../test/fakes/inbox.ts";
import { plain } from "../base/output.ts";
import { makeDesk } from "./desk.ts";

const text = (words: string) => ({ type: "text", text: words }) as const;

function desk() {
  const it = makeDesk(() => NOW, plain);
  const asked = decision({ title: "Ship 1.0?" });
  it.put({ type: "listed", briefs: [brief(asked)] });
  it.put({ type: "loaded", decision: asked });
  return it;
}

const draw = (it: ReturnType<typeof desk>, rows = 24, columns = 100) =>
  it.draw({ columns, rows, peeked: [] }).join("\n");

it("shows what answers suggest in one line, where there is room for it", () => {
  const it = desk();
  assert.doesNotMatch(draw(it), /You approved/);
  it.put({ type: "suggested", suggestions: [suggestion()] });
  assert.match(draw(it), /^P {2}You approved npm test 12 times and never refused it: let a policy do it\?$/m);
  assert.match(draw(it), /Ship 1\.0\?/);
  assert.doesNotMatch(draw(it, 12), /You approved/);
  for (const rows of [16, 24, 50]) assert.equal(draw(it, rows).split("\n").length, rows);
});

it("shows all of it after P; what does not fit must be scrolled to before it counts", () => {
  for (const [rows, scrolls] of [
    [40, 0],
    [16, 9],
  ] as const) {
    const it = desk();
    it.put({ type: "suggested", suggestions: [suggestion()] });
    draw(it, rows);
    it.press(text("P"));
    let shown = draw(it, rows);
    it.press(text("1"));
    if (scrolls > 0) {
      assert.deepEqual(it.press({ type: "enter" }), [], "not all of it has been on screen");
      for (let n = 0; n < scrolls; n++) {
        it.press(text("J"));
        shown += draw(it, rows);
      }
    }
    for (const words of [/policy "npm test" \{/, /answered 12 of 40/, /dec-1111111111/, /2 +No: ask me each/])
      assert.match(shown, words);
    const { key, hash } = suggestion();
    assert.deepEqual(it.press({ type: "enter" }), [{ type: "accept-suggestion", key, hash }], `${rows}`);
  }
});
