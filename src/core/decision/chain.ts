/**
 * Which decisions led to this one and which followed from it: by predecessor, or else by parent. The search ends even
 * if a log has a cycle.
 */
import type { Decision } from "../model/decision-types.ts";
import { originOf } from "../model/gist.ts";
import type { DecisionId } from "../model/ids.ts";
import type { State } from "../model/state/state.ts";

export interface Chain {
  /** The decisions it came from, earliest first. */
  ancestors: Decision[];
  decision: Decision;
  descendants: Branch[];
  /** An ancestor that is no longer kept. */
  gone: DecisionId | null;
  /** The chain comes back to itself somewhere. */
  is_cycle: boolean;
  /** How many descendants were left out because there are too many. */
  left_out: number;
}

export interface Branch {
  decision: Decision;
  branches: Branch[];
}

/** More would not help, and each level nests the JSON one level deeper. */
const MOST = 500;

export function chainOf(
  state: Readonly<State>,
  decision: Decision,
  isShown: (it: Decision) => boolean,
): Chain {
  const seen = new Set([decision.id]);
  const up = ancestorsOf(state, decision, seen, isShown);
  const down = descendantsOf(state, decision, seen, isShown);
  return {
    ancestors: up.ancestors,
    decision,
    descendants: down.branches,
    gone: up.gone,
    is_cycle: up.is_cycle || down.is_cycle,
    left_out: down.left_out,
  };
}

function ancestorsOf(
  state: Readonly<State>,
  decision: Decision,
  seen: Set<DecisionId>,
  isShown: (it: Decision) => boolean,
): Pick<Chain, "ancestors" | "gone" | "is_cycle"> {
  const ancestors: Decision[] = [];
  for (let id = originOf(decision); id !== null; ) {
    if (seen.has(id)) return { ancestors, gone: null, is_cycle: true };
    const origin = state.decisions.get(id);
    if (!origin || !isShown(origin) || ancestors.length >= MOST)
      return { ancestors, gone: id, is_cycle: false };
    seen.add(id);
    ancestors.unshift(origin);
    id = originOf(origin);
  }
  return { ancestors, gone: null, is_cycle: false };
}

/** Level by level, so that the nearest are kept if there are too many. */
function descendantsOf(
  state: Readonly<State>,
  decision: Decision,
  seen: Set<DecisionId>,
  isShown: (it: Decision) => boolean,
): { branches: Branch[]; is_cycle: boolean; left_out: number } {
  const followers = followersIn(state);
  const root: Branch = { decision, branches: [] };
  let is_cycle = false;
  let left_out = 0;
  let told = 0;
  for (const branch of growing([root])) {
    for (const id of followers.get(branch.decision.id) ?? []) {
      const follower = state.decisions.get(id);
      if (!follower || !isShown(follower)) continue;
      if (seen.has(follower.id)) is_cycle = true;
      else if (told >= MOST) left_out += 1;
      else {
        told += 1;
        seen.add(follower.id);
        branch.branches.push({ decision: follower, branches: [] });
      }
    }
  }
  return { branches: root.branches, is_cycle, left_out };
}

/** The branches, including those that are added while they are walked. */
function* growing(level: readonly Branch[]): Generator<Branch> {
  for (let now = level; now.length > 0; now = now.flatMap((it) => it.branches)) yield* now;
}

function followersIn(state: Readonly<State>): Map<DecisionId, DecisionId[]> {
  const followers = new Map<DecisionId, DecisionId[]>();
  for (const { id, origin } of state.decisions.gists()) {
    if (origin === null) continue;
    const others = followers.get(origin);
    if (others) others.push(id);
    else followers.set(origin, [id]);
  }
  return followers;
}
