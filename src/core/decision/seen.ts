/** Somebody looks at a decision: the first look at what is pending is recorded, so that we know how long it took. */
import type { Via } from "../model/decision-types.ts";
import type { Fact } from "../model/events.ts";
import { findDecision } from "../model/state/find.ts";
import type { State } from "../model/state/state.ts";

export function seeDecision(
  state: Readonly<State>,
  { id: text, by, via }: { id: string; by: string; via: Via },
): Fact[] {
  const { id, project, state: standing, seen } = findDecision(state, text);
  return standing === "pending" && !seen ? [{ type: "decision:seen", id, project, by, via }] : [];
}
