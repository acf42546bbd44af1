import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Outcome } from "./outcome-words.ts";
import { outcomeWords } from "./outcome-words.ts";

const answer = {
  chosen: 1,
  choices: [[1]],
  labels: ["Postgres"],
  text: null,
  message: "the usual",
  by: "ana",
  via: "cli" as const,
  resolved_at_ms: 0,
};

describe("the text that tells an asker", () => {
  for (const [name, outcome, words] of [
    ["an answer", { state: "resolved", answer }, "was answered by ana: Postgres. They say: the usual"],
    [
      "a dismissal",
      { state: "dismissed", answer },
      "was dismissed by ana. There is no answer. They say: the usual",
    ],
    [
      "a withdrawal",
      { state: "withdrawn", by: "ana", reason: "not now" },
      "was withdrawn by ana: not now. There is no answer.",
    ],
    [
      "its time, which nobody made pass",
      { state: "expired", by: "auto-close", reason: "pending for 2 h" },
      "expired: pending for 2 h. There is no answer.",
    ],
    [
      "its time, after which an option counts",
      { state: "expired", by: "deadline", reason: "nobody answered within 2 h", answer },
      "expired: nobody answered within 2 h. By default: Postgres. No person has decided this.",
    ],
  ] satisfies [string, Outcome, string][])
    it(`of ${name}`, () =>
      assert.equal(
        outcomeWords({ id: "dec-1", title: "Which\n database?", options: [] }, outcome),
        `dec-1 (Which database?) ${words}`,
      ));

  it("has all of a person's words or, where they don't fit, says so", () => {
    const asked = { id: "dec-1", title: "Which?", options: [] } as const;
    const message = "long ".repeat(10_000).trim();
    const outcome = { state: "resolved", answer: { ...answer, message } } as const;
    assert.ok(outcomeWords(asked, outcome).endsWith(message));
    const cut = outcomeWords(asked, outcome, 7000);
    assert.match(cut, /… \(this is cut off; all of it: oj decision show dec-1\)$/);
    assert.ok(cut.length < 7200);
  });
});
