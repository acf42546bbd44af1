/** Selects the decisions that a query asks for, and puts them in the order in which they are listed. */
import type { DecisionQuery } from "../../api/api.ts";
import { doesBlock } from "../../core/flow/block.ts";
import type { Decision } from "../../core/model/decision-types.ts";
import { isBlocking, URGENCIES } from "../../core/model/decision-types.ts";
import type { Gist, Standing } from "../../core/model/gist.ts";
import { standingOf } from "../../core/model/gist.ts";
import { isOutcome } from "../../core/model/outcome.ts";
import type { State } from "../../core/model/state/state.ts";

/** What waits for a person: by urgency, then by age; what blocks nothing comes last. */
export function selectPending(state: Readonly<State>, query: DecisionQuery): Decision[] {
  const { byStanding, byText } = filterOf(query);
  const pending = new Map<string, Decision[]>(URGENCIES.map((it) => [it, []]));
  for (const id of state.pending) {
    const decision = state.decisions.get(id);
    if (decision && byStanding(standingOf(decision)) && byText(decision))
      pending.get(decision.urgency)?.push(decision);
  }
  const all = [...pending.values()].flatMap((it) => it.sort(byAge));
  return [...all.filter((it) => isBlocking(it)), ...all.filter((it) => !isBlocking(it))];
}

/** Settled decisions, newest first, filtered as far as possible without their texts. */
export function selectSettled(state: Readonly<State>, query: DecisionQuery): Gist[] {
  const { byStanding } = filterOf(query);
  return [...state.decisions.gists()]
    .filter((it) => it.state !== "pending" && byStanding(it))
    .sort(query.order === "settled" ? bySettled : (a, b) => b.created_at_ms - a.created_at_ms);
}

/** The last settled first; of those settled at the same time, the last asked. */
function bySettled(a: Gist, b: Gist): number {
  return b.settled_at_ms - a.settled_at_ms || b.created_at_ms - a.created_at_ms || b.id.localeCompare(a.id);
}

/** Whether this one comes after the other in the order of settling: on a later page. */
export function isSettledBefore(it: Gist, other: Gist): boolean {
  return bySettled(other, it) < 0;
}

export interface Filter {
  /** The part of the filter that doesn't need the decision's texts. */
  byStanding(it: Standing): boolean;
  /** The rest of the filter: a decision on the shelf must be read for it. */
  byText(it: Decision): boolean;
}

/** Fields that must be as they were asked for. */
const SAME = ["source", "urgency", "requested_by", "project", "state", "via"] as const;

export function filterOf(query: DecisionQuery): Filter {
  const { blocks, stale, blocking, since_ms = 0, until_ms = Number.POSITIVE_INFINITY } = query;
  const same = SAME.filter((name) => query[name] !== undefined);
  const by = query.by?.toLowerCase();
  const words = query.search?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
  return {
    byStanding: (it) =>
      same.every((name) => it[name] === query[name]) &&
      (query.outcome === undefined || isOutcome(it, query.outcome)) &&
      (by === undefined || it.by?.toLowerCase() === by) &&
      it.settled_at_ms >= since_ms &&
      it.settled_at_ms < until_ms,
    byText: (it) =>
      (blocks === undefined || doesBlock(it, blocks)) &&
      (!stale || it.stale_since_ms !== undefined) &&
      (blocking === undefined || isBlocking(it) === blocking) &&
      (words.length === 0 || hasAll(it, words)),
  };
}

export function asksForSettled({ all, state, order, outcome, by, via }: DecisionQuery): boolean {
  if (all || order === "settled" || by !== undefined || via !== undefined) return true;
  return [state, outcome].some((it) => it !== undefined && it !== "pending");
}

/** Whether this is about settled decisions alone, in the order in which they were settled. */
export function isHistory({ order, outcome, state }: DecisionQuery): boolean {
  return order === "settled" && outcome !== "pending" && state !== "pending";
}

/** Everybody who settled a decision, and every project in which one was. */
export function historyNames(state: Readonly<State>): { people: string[]; projects: string[] } {
  const people = new Set<string>();
  const projects = new Set<string>();
  for (const { state: standing, by, project } of state.decisions.gists()) {
    if (standing === "pending") continue;
    if (by !== null) people.add(by);
    projects.add(project);
  }
  return { people: [...people].sort(), projects: [...projects].sort() };
}

/** Whether every word is somewhere in what a person has read or written about this decision. */
function hasAll(decision: Decision, words: readonly string[]): boolean {
  const { id, project, title, context, owner, requested_by, options, questions, action, answer, ended } =
    decision;
  const texts = [
    id,
    project,
    title,
    context,
    owner.name,
    requested_by,
    ...options.map((it) => it.label),
    ...questions.map((it) => it.question),
    action && `${action.tool} ${JSON.stringify(action.input)}`,
    ...(answer ? [answer.by, answer.text, answer.message, ...answer.labels] : []),
    ended?.reason,
  ];
  const all = texts.filter(Boolean).join("\n").toLowerCase();
  return words.every((it) => all.includes(it));
}

function byAge(a: Decision, b: Decision): number {
  return a.created_at_ms - b.created_at_ms;
}
