import assert from "node:assert/strict";
import fc from "fast-check";
import { it } from "vitest";
import { decision } from "../../test/fakes/fake-client.ts";
import { brief, desk } from "../../test/fakes/inbox.ts";
import type { DecisionFact } from "../core/model/events.ts";
import type { DecisionId } from "../core/model/ids.ts";
import { GUARD_MS } from "./model.ts";

type Move =
  | { key: string }
  | { settle: number }
  | { arrive: number }
  | { supersede: number }
  | { wait: number };

const moves: fc.Arbitrary<Move[]> = fc.array(
  fc.oneof(
    fc.record({
      key: fc.constantFrom("j", "k", "g", "G", "1", "2", "enter", "enter", "space", "u", "!", "a"),
    }),
    fc.record({ settle: fc.nat(30) }),
    fc.record({ arrive: fc.nat(30) }),
    fc.record({ supersede: fc.nat(30) }),
    fc.record({ wait: fc.nat(GUARD_MS * 2) }),
  ),
  { maxLength: 60 },
);

const idOf = (n: number) => `dec-${String(n).padStart(10, "a")}` as DecisionId;

it("Enter answers the decision in focus with what was chosen there, or nothing", () => {
  fc.assert(
    fc.property(moves, (all) => {
      const one = (n: number) =>
        decision({ id: idOf(n), title: `Q${n}?`, created_at_ms: n, source: "request" });
      const it = desk(...[1, 2, 3, 4, 5].map(one));
      let next = 50;
      const settled = new Set<string>();
      for (const move of all) {
        if ("wait" in move) it.now += move.wait;
        else if ("arrive" in move) {
          const fresh = one(next++);
          it.hear({ ...fresh, ...brief(fresh), type: "decision:created" } as never as DecisionFact);
          it.put({ type: "loaded", decision: fresh });
          it.put({ type: "saw", id: fresh.id, rest: 0 });
        } else if ("settle" in move || "supersede" in move) {
          const ids = [...it.inbox.items.keys()];
          const id = ids[("settle" in move ? move.settle : move.supersede) % Math.max(1, ids.length)];
          if (!id) continue;
          settled.add(id);
          const project = "shop";
          const fact = { id: id as DecisionId, project, reason: "gone", by: "oj", superseded_by: idOf(5) };
          it.hear({
            ...fact,
            type: "settle" in move ? "decision:withdrawn" : "decision:superseded",
          } as DecisionFact);
        } else {
          const { selected, forms, guarded_until_ms } = it.inbox;
          const before = it.effects.length;
          it.press(move.key);
          for (const effect of it.effects.slice(before)) {
            if (effect.type !== "resolve") continue;
            assert.equal(move.key, "enter");
            assert.equal(effect.id, selected);
            assert.ok(!settled.has(effect.id));
            assert.ok(it.now >= guarded_until_ms);
            assert.deepEqual(effect.body.choices, forms.get(effect.id)?.choices);
          }
        }
      }
    }),
    { numRuns: 500 },
  );
});
