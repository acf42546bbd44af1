import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decision, NOW } from "../../../test/fakes/fake-client.ts";
import type { Desk } from "../../../test/fakes/inbox.ts";
import { desk, VIEW } from "../../../test/fakes/inbox.ts";
import { widthOf } from "../../text/layout.ts";
import { plain } from "../base/output.ts";
import { frame } from "./frame.ts";

const long = Array.from({ length: 60 }, (_, at) => `line ${at} of a long context`).join("\n");
const many = () =>
  Array.from({ length: 40 }, (_, at) =>
    decision({
      id: `dec-${String(at).padStart(10, "0")}` as `dec-${string}`,
      title: `Question ${at}: may the agent go on with what it has begun?`,
      created_at_ms: NOW - 60_000 * (100 - at),
      context: long,
      source: "request",
    }),
  );

function shown(it: Desk, columns: number, rows: number, scroll = 0): string[] {
  const view = { ...VIEW, scroll };
  return frame(it.inbox, { columns, rows, now: NOW, style: plain, view, peeked: [] }).lines;
}

describe("the screen", () => {
  for (const [columns, rows] of [
    [80, 24],
    [120, 40],
    [50, 14],
    [200, 60],
    [30, 8],
  ] as const)
    it(`of ${columns}x${rows} is filled and nowhere wider`, () => {
      const it = desk(...many());
      for (const keys of [[], ["G"], ["1"], ["?"], ["?", "t"], ["escape", "escape", "t"]]) {
        it.press(...keys);
        const lines = shown(it, columns, rows);
        assert.equal(lines.length, rows);
        for (const line of lines) assert.ok(widthOf(line) <= columns, `${widthOf(line)}: ${line}`);
      }
    });

  it("has the count, the list, the card, its options, and the keys", () => {
    const it = desk(...many());
    const text = shown(it, 80, 24).join("\n");
    for (const part of ["40 waiting for you", "▶", "Question 0", "1   Ship it ★", "line 0 of", "? help"])
      assert.ok(text.includes(part), `${part} in\n${text}`);
  });

  it("keeps the selected decision in the list, wherever it is", () => {
    const it = desk(...many());
    it.press("G");
    assert.match(shown(it, 80, 24).join("\n"), /▶.*Question 39/);
    assert.match(shown(it, 80, 24).join("\n"), /↑ \d+ more/);
  });

  it("says once that nothing waits, without empty panes", () => {
    const text = shown(desk(), 80, 24).join("\n");
    assert.equal(text.split("Nothing is waiting for you.").length, 2);
    assert.ok(!text.includes("│"), text);
  });

  it("lines up what options do, also where it is cut", () => {
    const options = ["Accept (clear context)", "Revise"].map((label) => ({
      label,
      description: "A long description of what becomes of it ".repeat(3),
    }));
    const text = shown(desk(decision({ context: "line\n".repeat(40), options })), 80, 24);
    const columns = text.flatMap((it) => /\d {3}.*?(?=A long)/.exec(it)?.[0].length ?? []);
    assert.deepEqual([columns.length, new Set(columns).size], [2, 1], text.join("\n"));
  });

  it("scrolls the text and not the options", () => {
    const it = desk(...many());
    const text = shown(it, 80, 24, 30).join("\n");
    assert.ok(!text.includes("line 0 of"));
    assert.ok(text.includes("Ship it"));
  });

  it("keeps the head and the options of an endless question in sight", () => {
    const question = { question: "very ".repeat(1000), header: null, multi_select: false };
    const options = [{ label: "Oak", description: null }];
    const questions = [1, 2].map(() => ({ ...question, options }));
    const it = desk(decision({ source: "question", questions }));
    for (const [columns, rows] of [
      [80, 24],
      [120, 40],
    ] as const) {
      const text = shown(it, columns, rows).join("\n");
      for (const part of ["Ship 1.0?", "… e opens the whole question", "1   Oak", "2   Other"])
        assert.ok(text.includes(part), `${part} in\n${text}`);
    }
  });

  it("lets nothing in a decision control the terminal", () => {
    const evil = "\u001b[2J\u009b31m\u0007\u202e";
    const it = desk(
      decision({
        title: `T${evil}`,
        context: evil,
        options: [{ label: evil, description: evil, effect: evil }],
      }),
    );
    it.put({
      type: "refused",
      id: it.inbox.selected ?? "",
      error: { code: "timeout", message: evil, hint: null },
    });
    const text = shown(it, 80, 24).join("");
    assert.doesNotMatch(text, /[^\P{Cc}\n]|\u202e/u);
  });
});
