import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, it } from "vitest";
import { idFrom } from "../ids.ts";
import { findAgent, findDecision, findJob } from "./find.ts";
import { emptyState } from "./state.ts";

/** Twelve of each kind whose ids begin alike, and one that does not. */
function crowd() {
  const state = emptyState();
  const ends = [...Array.from({ length: 12 }, (_, n) => `aa${String(n).padStart(2, "0")}`), "bb"];
  for (const end of ends) {
    state.decisions.set(`dec-${end}`, { id: `dec-${end}` } as never);
    state.jobs.set(`job-${end}`, { id: `job-${end}` } as never);
    state.agents.set(`agt-${end}`, { id: `agt-${end}` } as never);
  }
  return state;
}

describe.each([
  ["decision", "dec", findDecision],
  ["job", "job", findJob],
  ["agent", "agt", findAgent],
] as const)("a %s named by what a person types", (word, kind, find) => {
  const state = crowd();

  it("is found by its id and any unique prefix, with or without its kind", () => {
    for (const text of [`${kind}-bb`, "bb", "b", ` ${kind.toUpperCase()}-B `])
      assert.equal(find(state, text).id, `${kind}-bb`);
    assert.equal(find(state, "aa07").id, `${kind}-aa07`);
  });

  it("is refused if it is ambiguous, with the first candidates and how many more", () => {
    assert.throws(
      () => find(state, "aa"),
      (error: { code: string; message: string; hint: string; details: { candidates: string[] } }) => {
        assert.equal(error.code, `${word}.ambiguous`);
        assert.equal(error.message, `"aa" matches 12 ${word}s`);
        assert.match(error.hint, new RegExp(`^${kind}-aa00 .* and 2 more$`));
        assert.equal(error.details.candidates.length, 10);
        return true;
      },
    );
  });

  it("is refused if there is none, and for an empty text", () => {
    for (const text of ["zz", "", `${kind}-`])
      assert.throws(() => find(state, text), { code: `${word}.not-found`, hint: `oj ${word} list` });
  });
});

describe("a thousand decisions with random ids", () => {
  const state = emptyState();
  for (let number = 0; number < 1000; number++) {
    const id = idFrom("dec", randomBytes(64));
    state.decisions.set(id, { id } as never);
  }
  const ids = [...state.decisions.keys()];

  it("are each found by every prefix that is theirs alone, and by no other", () => {
    for (const id of ids) {
      for (let length = 1; length <= id.length - 4; length++) {
        const prefix = id.slice(0, 4 + length);
        const alike = ids.filter((it) => it.startsWith(prefix));
        for (const text of [prefix, prefix.slice(4)]) {
          if (alike.length === 1) assert.equal(findDecision(state, text).id, id);
          else assert.throws(() => findDecision(state, text), { code: "decision.ambiguous" });
        }
      }
      assert.throws(() => findDecision(state, `${id}2`), { code: "decision.not-found" });
    }
  });
});
