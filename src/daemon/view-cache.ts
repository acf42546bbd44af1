/** Decisions as JSON text, kept until they change: an inbox of ten thousand is listed without building it anew each time. */
import type { Decision } from "../core/decision-types.ts";
import type { DecisionId } from "../core/ids.ts";
import type { Engine } from "./engine.ts";
import { decisionView } from "./views.ts";

export interface ViewCache {
  /** The view of a decision as text. Call it only with decisions of the newest state. */
  text(decision: Decision): string;
}

/** Settled decisions are few on screen and many in the state: only so many texts are kept. */
const MAX = 50_000;

export function viewCache(engine: Engine): ViewCache {
  const texts = new Map<DecisionId, { text: string; state: string; delivery: unknown }>();
  engine.watch((events) => {
    for (const event of events) {
      if (event.type.startsWith("decision:")) texts.delete((event as { id: DecisionId }).id);
      if (event.type === "job:deleted") texts.clear();
    }
  });
  return {
    text(decision) {
      const kept = texts.get(decision.id);
      // Facts are folded before the commit that clears the entry: what folding changes tells whether it still holds.
      if (kept && kept.state === decision.state && kept.delivery === decision.delivery) return kept.text;
      const text = JSON.stringify(decisionView(decision));
      if (texts.size >= MAX) texts.clear();
      texts.set(decision.id, { text, state: decision.state, delivery: decision.delivery });
      return text;
    },
  };
}
