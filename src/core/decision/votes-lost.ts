/** Who loses a role no longer counts among those who have agreed: lists and cards say so, and what was on hold waits again. */
import type { Decision, Via } from "../model/decision-types.ts";
import { VOUCHING } from "../model/decision-types.ts";
import type { Fact } from "../model/events.ts";
import type { Moment } from "../model/ids.ts";
import { draftOn } from "../model/state/draft.ts";
import type { State } from "../model/state/state.ts";
import type { RoleInput } from "../rights/people.ts";
import { revokeRole } from "../rights/people.ts";
import { mayStill } from "../rights/rule.ts";
import { takeBack } from "./undo.ts";

export function takeRole(state: Readonly<State>, input: RoleInput, moment: Moment): Fact[] {
  const { by, name } = input;
  const draft = draftOn(state, moment);
  for (const fact of revokeRole(state, input)) draft.emit(fact);
  for (const id of state.pending) {
    const decision = draft.state.decisions.get(id);
    for (const vote of decision?.votes ?? []) {
      if (!decision || mayStill(draft.state, vote, decision.project)) continue;
      for (const fact of takeBack(draft.state, decision, { by, who: vote.who }, moment)) draft.emit(fact);
    }
    const now = draft.state.decisions.get(id);
    if (now && isHeldBy(now, name) && !mayStill(draft.state, { who: name, member: true }, now.project))
      draft.emit({ type: "decision:undone", id, project: now.project, by });
  }
  return draft.facts;
}

/** Roles say nothing about whoever answers by a message: what they gave there goes out. */
function isHeldBy({ held }: Decision, name: string): boolean {
  const { who, by, via } = held?.answer ?? {};
  return (who ?? by) === name && via !== undefined && BY_ROLE.has(via);
}

const BY_ROLE: ReadonlySet<Via> = new Set<Via>(["cli", "tui", "web", "api", ...VOUCHING]);
