/** How facts change the list of those who wait for the same decision. The rules are in core/request/repeat.ts. */
import type { Decision } from "./decision-types.ts";
import type { DecisionFact, Stamp } from "./events.ts";
import type { Changing } from "./fixed.ts";

/** Somebody who asks in a loop is counted, but not kept one by one. */
const MOST_REPEATS = 50;

export function foldRepeat(
  decision: Changing<Decision>,
  fact: Extract<DecisionFact, { type: "decision:repeated" | "decision:left" | "decision:shared" }> & Stamp,
): void {
  const { repeats = [], count = 1 } = decision;
  const { key, at_ms } = fact;
  switch (fact.type) {
    case "decision:repeated":
      decision.count = count + 1;
      decision.repeats = [...repeats, { key: fact.key, at_ms, state: "waiting" as const }].slice(
        -MOST_REPEATS,
      );
      return;
    case "decision:left": {
      // without the first, the next one takes its place
      const gone = repeats.find((it) => it.key === key) ?? repeats[0];
      decision.count = count - 1;
      decision.repeats = repeats.filter((it) => it !== gone);
      return;
    }
    case "decision:shared": {
      const state = fact.arrived ? "acknowledged" : "failed";
      decision.repeats = repeats.map((it) => (it.key === key ? { ...it, state } : it));
      return;
    }
  }
}
