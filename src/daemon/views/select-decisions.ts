/** Selects the decisions that a query asks for, and puts them in the order in which they are listed. */
import type { DecisionQuery } from "../../api/api.ts";
import { doesBlock } from "../../core/flow/block.ts";
import type { Decision } from "../../core/model/decision-types.ts";
import { URGENCIES } from "../../core/model/decision-types.ts";
import type { Gist } from "../../core/model/gist.ts";
import type { State } from "../../core/model/state/state.ts";

/** What waits for a person: by urgency, then by age. */
export function selectPending(state: Readonly<State>, query: DecisionQuery): Decision[] {
  const { byGist, byText } = filterOf(query);
  const pending = new Map<string, Decision[]>(URGENCIES.map((it) => [it, []]));
  for (const id of state.pending) {
    const decision = state.decisions.get(id);
    if (decision && byGist(decision) && byText(decision)) pending.get(decision.urgency)?.push(decision);
  }
  return [...pending.values()].flatMap((it) => it.sort(byAge));
}

/** Settled decisions, newest first, filtered as far as possible without their texts. */
export function selectSettled(state: Readonly<State>, query: DecisionQuery): Gist[] {
  const { byGist } = filterOf(query);
  return [...state.decisions.gists()]
    .filter((it) => it.state !== "pending" && byGist(it))
    .sort((a, b) => b.created_at_ms - a.created_at_ms);
}

export interface Filter {
  /** The part of the filter that doesn't need the decision's texts. */
  byGist(it: Listable): boolean;
  /** The rest of the filter: a decision on the shelf must be read for it. */
  byText(it: Decision): boolean;
}

type Listable = Pick<Gist, "source" | "urgency" | "requested_by" | "project" | "state">;

export function filterOf(query: DecisionQuery): Filter {
  const { source, urgency, blocks, requested_by, project, state } = query;
  const words = query.search?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
  return {
    byGist: (it) =>
      (source === undefined || it.source === source) &&
      (urgency === undefined || it.urgency === urgency) &&
      (requested_by === undefined || it.requested_by === requested_by) &&
      (project === undefined || it.project === project) &&
      (state === undefined || it.state === state),
    byText: (it) =>
      (blocks === undefined || doesBlock(it, blocks)) && (words.length === 0 || hasAll(it, words)),
  };
}

export function asksForSettled({ all, state }: DecisionQuery): boolean {
  return all === true || (state !== undefined && state !== "pending");
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
