import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { suggestion } from "../../test/fakes/fake-client.ts";
import { A, desk } from "../../test/fakes/inbox.ts";
import type { SuggestionView } from "../api/api.ts";
import { answerSuggestion, concernsSuggestions, suggestionLine } from "./suggestion.ts";

const one = suggestion();
const other = suggestion({ key: "00000000000000bb", what: "git status", answers: 6, hash: "b".repeat(64) });

/** Listed, opened, and all of it seen. */
function opened(all: readonly SuggestionView[] = [one, other]) {
  const it = desk(A);
  it.put({ type: "suggested", suggestions: all });
  it.press("P");
  it.put({ type: "saw-rule", id: one.key, rest: 0 });
  return it;
}

describe("a rule that answers suggest", () => {
  it("is one line, and none if there is none", () => {
    assert.equal(suggestionLine([]), null);
    assert.equal(
      suggestionLine([one, other]),
      "You approved npm test 12 times and never refused it: let a policy do it? (and 1 more)",
    );
  });

  it("opens with P, and a number and Enter accept or decline it", () => {
    for (const [key, effect] of [
      ["1", { type: "accept-suggestion", key: one.key, hash: one.hash }],
      ["2", { type: "decline-suggestion", key: one.key }],
    ] as const) {
      const it = opened();
      it.press(key, "enter");
      assert.deepEqual(it.effects, [effect]);
      assert.equal(it.inbox.mode.type, "list");
    }
  });

  it("takes no Enter alone, no other number, and nothing that was not on screen", () => {
    const it = opened();
    it.press("enter", "3", "enter");
    assert.deepEqual(it.effects, []);
    for (const rest of [null, 2]) {
      const unseen = desk(A);
      unseen.put({ type: "suggested", suggestions: [one] });
      unseen.press("P");
      if (rest !== null) unseen.put({ type: "saw-rule", id: one.key, rest });
      unseen.put({ type: "saw-rule", id: other.key, rest: 0 });
      unseen.press("1", "enter");
      assert.equal(unseen.effects.length, 0, `${rest}`);
      unseen.press("2", "enter");
      assert.equal(unseen.effects[0]?.type, "decline-suggestion", "what is declined need not be read");
    }
  });

  it("must be looked at again when its words change, and closes when it is gone", () => {
    const it = opened();
    it.press("1");
    it.put({ type: "suggested", suggestions: [{ ...one, hash: "c".repeat(64) }] });
    it.press("enter", "1", "enter");
    assert.deepEqual(it.effects, []);
    it.put({ type: "saw-rule", id: one.key, rest: 0 });
    it.press("enter");
    assert.deepEqual(it.effects, [{ type: "accept-suggestion", key: one.key, hash: "c".repeat(64) }]);
    const gone = opened();
    gone.put({ type: "suggested", suggestions: [other] });
    assert.equal(gone.inbox.mode.type, "list");
    assert.match(gone.inbox.notice?.text ?? "", /no longer suggested/);
  });

  it("stays as it is while the same list comes again", () => {
    const it = opened();
    it.press("1");
    it.put({ type: "suggested", suggestions: [{ ...one }, { ...other }] });
    it.press("enter");
    assert.equal(it.effects[0]?.type, "accept-suggestion");
  });

  it("is one of several: j and k turn the pages, each to be seen by itself", () => {
    const it = opened();
    it.press("1", "j", "1", "enter");
    assert.deepEqual(it.effects, [], "the second has not been on screen");
    it.put({ type: "saw-rule", id: other.key, rest: 0 });
    it.press("enter");
    assert.deepEqual(it.effects, [{ type: "accept-suggestion", key: other.key, hash: other.hash }]);
    const back = opened();
    back.press("k", "j", "j", "k");
    assert.ok(back.inbox.mode.type === "suggestion" && back.inbox.mode.key === one.key);
  });

  it("can't be accepted where its file has a problem, but declined", () => {
    const it = opened([suggestion({ problem: "nobody has accepted it" })]);
    it.press("1", "enter");
    assert.equal(it.effects.length, 0);
    it.press("2", "enter");
    assert.equal(it.effects[0]?.type, "decline-suggestion");
  });

  it("goes back with Esc, q and P, and answers no decision meanwhile", () => {
    for (const key of ["escape", "q", "P"]) {
      const it = opened();
      it.press("2", key);
      assert.equal(it.inbox.mode.type, "list", key);
      assert.deepEqual(it.effects, [], key);
    }
    const none = desk(A);
    none.press("P");
    assert.match(none.inbox.notice?.text ?? "", /suggest no rule/);
  });

  it("leaves the list when it is done, and stays if it was refused", async () => {
    const it = opened();
    const refused = { key: one.key, isOver: false, text: "the file has changed" };
    it.put({ type: "suggestion-done", done: refused });
    assert.equal(it.inbox.suggestions.length, 2);
    assert.equal(it.inbox.notice?.kind, "error");
    const client = { acceptSuggestion: async () => one, declineSuggestion: async () => {} };
    const done = await answerSuggestion(client, { type: "accept-suggestion", key: one.key, hash: one.hash });
    assert.match(done.text, /oj policy off "npm test" takes it back/);
    it.put({ type: "suggestion-done", done });
    assert.deepEqual(it.inbox.suggestions, [other]);
  });

  it("is asked for again when a person has answered, not when a policy has", () => {
    const event = (more: object) => [{ seq: 1, at_ms: 1, ...more }] as never;
    assert.equal(concernsSuggestions(event({ type: "decision:resolved", via: "cli" })), true);
    assert.equal(concernsSuggestions(event({ type: "policy:unwanted" })), true);
    assert.equal(concernsSuggestions(event({ type: "decision:resolved", via: "policy" })), false);
    assert.equal(concernsSuggestions(event({ type: "decision:created" })), false);
  });
});
