import assert from "node:assert/strict";
import { it } from "vitest";
import { A, desk } from "../../test/fakes/inbox.ts";

const pause = { by: "ana", via: "tui", from_ms: 0, until_ms: 1000 } as const;

it("i says that you are on it, and i again that you no longer are", () => {
  const it = desk(A);
  it.press("i");
  assert.deepEqual(it.effects, [{ type: "claim", id: A.id, isOver: false }]);
  it.put({ type: "loaded", decision: { ...A, claimed: pause } });
  it.press("i");
  assert.deepEqual(it.effects.at(-1), { type: "claim", id: A.id, isOver: true });
});

it("a claim from elsewhere shows at once, and its end too", () => {
  const it = desk(A);
  const at = { seq: 1, at_ms: 5, id: A.id, project: A.project } as const;
  const claimed = { ...at, type: "decision:claimed", by: "ben", via: "slack", until_ms: 1000 } as const;
  it.put({ type: "events", events: [claimed] });
  assert.equal(it.inbox.details.get(A.id)?.claimed?.by, "ben");
  const nothing = { remind_at_ms: null, next_at_ms: null };
  it.put({ type: "events", events: [{ ...at, seq: 2, type: "decision:released", by: null, ...nothing }] });
  assert.equal(it.inbox.details.get(A.id)?.claimed, null);
});

it("there is nothing to claim where an answer is on hold", () => {
  const it = desk(A);
  it.put({ type: "loaded", decision: { ...A, state: "dismissed" } });
  it.press("i");
  assert.equal(it.effects.length, 0);
});
