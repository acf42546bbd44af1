import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { decision, rule } from "../../test/fakes/fake-client.ts";
import { A, brief, desk, resolved } from "../../test/fakes/inbox.ts";
import { scopeChoices, triedWords } from "./card/rule.ts";

const asked = decision({
  id: "dec-eeeeeeeeee",
  source: "approval",
  title: "Bash: npm test",
  created_at_ms: 0,
  action: { tool: "Bash", input: { command: "npm test" }, sha256: "x" },
  options: [
    { key: "approve", label: "Approve" },
    { key: "deny", label: "Deny" },
  ],
});
const found = rule(asked.id);

/** The rule is open, loaded and seen. */
function opened() {
  const it = desk(asked, A);
  it.press("R");
  it.put({ type: "proposed", found });
  it.put({ type: "saw-rule", id: asked.id, rest: 0 });
  return it;
}

describe("remembering an approval", () => {
  it("opens the rule, and a number and Enter accept it: two keys", () => {
    for (const [key, scope] of [
      ["2", "job"],
      ["3", "project"],
    ] as const) {
      const it = opened();
      it.press(key, "enter");
      const body = { scope, hash: found.rule?.hash };
      assert.deepEqual(it.effects.slice(0, 2), [
        { type: "propose", id: asked.id },
        { type: "remember", id: asked.id, body },
      ]);
      assert.equal(it.inbox.mode.type, "list");
      assert.ok(it.inbox.sending.has(asked.id));
    }
  });

  it("approves once without remembering anything", () => {
    const it = opened();
    it.press("1", "enter");
    const body = { option: "approve" };
    assert.deepEqual(it.effects[1], { type: "resolve", id: asked.id, body });
  });

  it("takes the words along that were written for this approval, and no rule without them", () => {
    const it = opened();
    it.put({ type: "typed", id: asked.id, field: "message", text: "only on staging" });
    it.press("3", "enter");
    assert.equal(it.effects.length, 1);
    assert.match(it.inbox.notice?.text ?? "", /a rule takes no words along/);
    it.press("1", "enter");
    const body = { option: "approve", message: "only on staging" };
    assert.deepEqual(it.effects[1], { type: "resolve", id: asked.id, body });
  });

  it("is not for a call that was changed: the rule, and the approval, would be of the other one", () => {
    const it = desk(asked);
    it.put({ type: "edited", id: asked.id, text: "npm test -- --bail" });
    it.press("R");
    assert.deepEqual([it.effects, it.inbox.mode.type], [[], "list"]);
    assert.match(it.inbox.notice?.text ?? "", /you changed it/);
    it.put({ type: "edited", id: asked.id, text: null });
    it.press("R");
    assert.equal(it.inbox.mode.type, "remember");
  });

  it("needs a choice: Enter alone accepts nothing", () => {
    const it = opened();
    it.press("enter", "enter");
    assert.equal(it.effects.length, 1);
    assert.match(it.inbox.notice?.text ?? "", /choose 1-3 first/);
  });

  it("accepts nothing that was not on screen, neither the rule nor the call", () => {
    for (const [ruleRest, callRest] of [
      [null, 0],
      [2, 0],
      [0, 1],
      [null, null],
    ] as const) {
      const it = desk();
      it.put({ type: "listed", briefs: [brief(asked)] });
      it.put({ type: "loaded", decision: asked });
      if (callRest !== null) it.put({ type: "saw", id: asked.id, rest: callRest });
      it.press("R");
      it.put({ type: "proposed", found });
      if (ruleRest !== null) it.put({ type: "saw-rule", id: asked.id, rest: ruleRest });
      it.effects = [];
      it.press("3", "enter", "2", "enter");
      assert.deepEqual(it.effects, [], `${ruleRest} ${callRest}`);
      assert.equal(it.inbox.mode.type, "remember");
    }
  });

  it("starts over if another rule comes: what was seen and chosen was the other one", () => {
    const it = opened();
    it.press("3");
    it.put({ type: "proposed", found: rule(asked.id, { hash: "another" }) });
    it.press("enter", "3", "enter");
    assert.equal(it.effects.length, 1, "nothing of it has been on screen");
  });

  it("ignores the rule of another decision", () => {
    const it = desk(asked, A);
    it.press("R");
    it.put({ type: "proposed", found: rule(A.id) });
    assert.ok(it.inbox.mode.type === "remember" && it.inbox.mode.found === null);
  });

  it("offers only Once where there can be no rule, and says why another is not possible", () => {
    const none = { ...found, rule: null, why: "this forces a push", tried: null };
    assert.deepEqual(
      scopeChoices(none).map((it) => it.label),
      ["Once"],
    );
    const it = desk(asked);
    it.press("R");
    it.put({ type: "proposed", found: none });
    it.put({ type: "saw-rule", id: asked.id, rest: 0 });
    it.press("2", "enter", "3", "enter");
    assert.equal(it.effects.length, 1);
    it.put({ type: "proposed", found: rule(asked.id, { problem: "remembered.hcl has changed" }) });
    it.press("3");
    assert.match(it.inbox.notice?.text ?? "", /remembered.hcl has changed/);
    it.put({ type: "saw-rule", id: asked.id, rest: 0 });
    it.press("2", "enter");
    assert.equal(it.effects[1]?.type, "remember");
  });

  it("answers nothing that was settled meanwhile", () => {
    const it = opened();
    it.hear(resolved(asked.id));
    it.now += 1000;
    it.press("3", "enter");
    assert.ok(!it.effects.some((effect) => effect.type === "remember"));
  });

  it("is for approvals only", () => {
    const it = desk(A);
    it.press("R");
    assert.equal(it.inbox.mode.type, "list");
    assert.match(it.inbox.notice?.text ?? "", /only an approval/);
  });

  it("says what the rule would have done, with each disagreement", () => {
    const disagreed = [{ id: "dec-1" as const, policy: "x", would: "approve", was: "deny" }];
    const words = triedWords({ answered: 3, of: 9, agreed: 2, disagreed, saved_per_hour: 1.5 }).join("\n");
    assert.match(words, /answered 3 of 9, agreed 2, disagreed 1\./);
    assert.match(words, /dec-1: it would approve, a person chose deny/);
  });
});
