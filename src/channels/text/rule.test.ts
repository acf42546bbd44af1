import assert from "node:assert/strict";
import { it } from "vitest";
import type { Rememberable } from "../../api/api.ts";
import { shownRule } from "./rule.ts";

const RULE = {
  name: "npm test",
  text: 'policy "npm test" {\n  approve = { command = "npm test" }\n}\n',
  hash: "ab".repeat(32),
  asker: "job fix/cart",
  file: "/home/ana/shop/.oj/runbooks/remembered.hcl",
  problem: null as string | null,
};
const tried = { answered: 0, of: 0, agreed: 0, disagreed: [], saved_per_hour: 0 };
const offer = (more: Partial<typeof RULE>, its: Partial<Rememberable> = {}): Rememberable => ({
  ...{ decision: "dec-7k3m9x2p4q", why: null, tried },
  rule: { ...RULE, ...more },
  ...its,
});

it("shows all of a rule with its three choices, or none of it", () => {
  const whole = shownRule(offer({}), 1000);
  assert.ok(whole.type === "whole");
  assert.equal(whole.text, RULE.text.trimEnd());
  assert.deepEqual(
    whole.choices.map((it) => it.scope),
    ["once", "job", "project"],
  );
  const most = RULE.text.trimEnd().length;
  assert.equal(shownRule(offer({}), most).type, "whole");
  for (const [given, room, why] of [
    [offer({}), most - 1, /too long/],
    [offer({ text: 'command = "curl --token abc123def456ghi789"' }), 1000, /looks secret/],
    [offer({ text: 'command = "a\u202eb"' }), 1000, /can't be shown/],
    [offer({ text: 'command = "a\u001b[2Kb"' }), 1000, /can't be shown/],
  ] as const) {
    const hidden = shownRule(given, room);
    assert.ok(hidden.type === "hidden");
    assert.match(hidden.why, why);
  }
});

it("says why there is none, and what can't be chosen now, without secrets", () => {
  const why = "no policy could approve this: curl --token abc123def456ghi789";
  const none = shownRule({ ...offer({}), rule: null, why }, 1000);
  assert.ok(none.type === "none");
  assert.doesNotMatch(none.why, /abc123/);
  const part = shownRule(offer({ problem: "nobody has accepted it" }), 1000);
  assert.ok(part.type === "whole");
  assert.deepEqual(
    part.choices.map((it) => it.scope),
    ["once", "job"],
  );
  assert.ok(part.lines.includes("Always in this project: not now, nobody has accepted it"));
});

it("lists a few disagreements and counts the rest", () => {
  const disagreed = Array.from({ length: 9 }, (_, at) => {
    return { id: `dec-${at}` as const, policy: "npm test", would: "approve", was: "deny" };
  });
  const shown = shownRule(offer({}, { tried: { ...tried, of: 9, answered: 9, disagreed } }), 1000);
  assert.ok(shown.type === "whole");
  assert.match(shown.lines.join("\n"), /disagreed 9[\s\S]*✗ dec-0[\s\S]*… and 6 more\./);
});
