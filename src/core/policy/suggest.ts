/**
 * Proposes policies from what people have approved again and again: the narrowest one that covers a group of calls with
 * the same commands and options. Nothing is proposed that anybody has ever denied, or that can't be undone.
 */
import type { Irreversible, Policy } from "../model/policy-types.ts";
import type { Call } from "./call.ts";
import { judgeCall } from "./judge.ts";
import type { Place } from "./paths.ts";
import type { Precedent } from "./precedents.ts";
import type { Wish } from "./shapes.ts";
import { groupKey, wishFor } from "./shapes.ts";
import { freshName, policyOf, textOf } from "./written.ts";

/** An answer about a call, and where the call would have run. */
export interface PastCall {
  precedent: Precedent;
  call: Call;
  place: Place;
}

export interface Suggestion {
  name: string;
  /** HCL. */
  text: string;
  decisions: string[];
  answers: number;
  days: number;
  jobs: number;
}

const FEWEST_ANSWERS = 5;
const FEWEST_DAYS = 2;
const FEWEST_JOBS = 2;

export function suggestPolicies(
  past: readonly PastCall[],
  {
    added,
    policies,
    dayOf,
  }: {
    added: readonly Irreversible[];
    /** Those that count, and those that are written: what they approve is not proposed again. */
    policies: readonly Policy[];
    /** The local date of a time. */
    dayOf(at_ms: number): string;
  },
): Suggestion[] {
  const taken = new Set(policies.map((it) => it.name));
  const found: Suggestion[] = [];
  for (const group of groupsOf(past)) {
    const answers = group.length;
    const days = new Set(group.map((it) => dayOf(it.precedent.at_ms))).size;
    const jobs = new Set(group.map((it) => it.precedent.asker)).size;
    if (answers < FEWEST_ANSWERS || days < FEWEST_DAYS || jobs < FEWEST_JOBS) continue;
    const approves = (policy: Policy) => (it: PastCall) =>
      judgeCall([policy], it.call, it.place, added)[0]?.fits === true;
    if (policies.some((it) => it.kind === "approve" && group.every(approves(it)))) continue;
    const policy = wishesOf(group)
      .map(policyOf)
      .find((it) => group.every(approves(it)));
    if (!policy) continue;
    const dissents = past.some((it) => it.precedent.chose !== "approve" && approves(policy)(it));
    if (dissents) continue;
    const name = freshName(policy.name, taken);
    const decisions = group.map((it) => it.precedent.decision.id);
    found.push({ name, text: textOf(policy, name), decisions, answers, days, jobs });
  }
  return found.sort((a, b) => b.answers - a.answers || (a.name < b.name ? -1 : 1));
}

function groupsOf(past: readonly PastCall[]): PastCall[][] {
  const groups = new Map<string, PastCall[]>();
  for (const it of past) {
    const key = it.precedent.chose === "approve" ? groupKey(it.call, it.place) : null;
    if (key !== null) groups.set(key, [...(groups.get(key) ?? []), it]);
  }
  return [...groups.values()];
}

/** Narrow ones first: what is about places must stay in the workspace; what is always the same may be anywhere. */
function wishesOf(group: readonly PastCall[]): Wish[] {
  const wish = wishFor(group);
  if (wish === null) return [];
  return wish.varies ? [wish] : [wish, { ...wish, match: { ...wish.match, within: false } }];
}
