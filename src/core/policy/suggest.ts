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
  /** What its calls have in common. It stays the same when more of them are answered and the rule's words change. */
  shape: string;
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

interface Options {
  added: readonly Irreversible[];
  /** Those that count, and those that are written: what they approve is not proposed again. */
  policies: readonly Policy[];
  /** Names that are not given again, besides those of the policies. */
  taken?: readonly string[];
  /** The local date of a time. */
  dayOf(at_ms: number): string;
}

export function suggestPolicies(past: readonly PastCall[], options: Options): Suggestion[] {
  const work = suggesting(past, options);
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** The same, with a pause wherever a daemon should look after something else. */
export function* suggesting(
  past: readonly PastCall[],
  { added, policies, taken: names = [], dayOf }: Options,
): Generator<void, Suggestion[]> {
  const taken = new Set([...names, ...policies.map((it) => it.name)]);
  const found: Suggestion[] = [];
  for (const [shape, group] of yield* groupsOf(past)) {
    const answers = group.length;
    const days = new Set(group.map((it) => dayOf(it.precedent.at_ms))).size;
    const jobs = new Set(group.map((it) => it.precedent.asker)).size;
    if (answers < FEWEST_ANSWERS || days < FEWEST_DAYS || jobs < FEWEST_JOBS) continue;
    const approves = (policy: Policy) => (it: PastCall) =>
      judgeCall([policy], it.call, it.place, added)[0]?.fits === true;
    yield;
    if (policies.some((it) => it.kind === "approve" && group.every(approves(it)))) continue;
    const policy = wishesOf(group)
      .map(policyOf)
      .find((it) => group.every(approves(it)));
    if (!policy) continue;
    yield;
    const dissents = past.some((it) => it.precedent.chose !== "approve" && approves(policy)(it));
    if (dissents) continue;
    const name = freshName(policy.name, taken);
    const decisions = group.map((it) => it.precedent.decision.id);
    found.push({ name, shape, text: textOf(policy, name), decisions, answers, days, jobs });
  }
  return found.sort((a, b) => b.answers - a.answers || (a.name < b.name ? -1 : 1));
}

/** How many calls are looked at before a pause. */
const AT_ONCE = 50;

function* groupsOf(past: readonly PastCall[]): Generator<void, Map<string, PastCall[]>> {
  const groups = new Map<string, PastCall[]>();
  for (const [at, it] of past.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) yield;
    const key = it.precedent.chose === "approve" ? groupKey(it.call, it.place) : null;
    if (key === null) continue;
    const group = groups.get(key);
    if (group) group.push(it);
    else groups.set(key, [it]);
  }
  return groups;
}

/** Narrow ones first: what is about places must stay in the workspace; what is always the same may be anywhere. */
function wishesOf(group: readonly PastCall[]): Wish[] {
  const wish = wishFor(group);
  if (wish === null) return [];
  return wish.varies ? [wish] : [wish, { ...wish, match: { ...wish.match, within: false } }];
}
