/** Which decisions a query means, and in which order they are listed. */
import type { DecisionQuery } from "../api.ts";
import { doesBlock } from "../core/block.ts";
import type { Decision } from "../core/decision-types.ts";
import { URGENCIES } from "../core/decision-types.ts";
import type { State } from "../core/state.ts";

/** What waits for a person comes first by urgency, then by age; the settled ones follow, newest first. */
export function selectDecisions(state: Readonly<State>, query: DecisionQuery): Decision[] {
  const wanted = filterOf(query);
  const pending = new Map<string, Decision[]>(URGENCIES.map((it) => [it, []]));
  for (const id of state.pending) {
    const decision = state.decisions.get(id);
    if (decision && wanted(decision)) pending.get(decision.urgency)?.push(decision);
  }
  const first = [...pending.values()].flatMap((it) => it.sort(byAge));
  if (!asksForSettled(query)) return first;
  const settled = [...state.decisions.values()].filter((it) => it.state !== "pending" && wanted(it));
  return [...first, ...settled.sort((a, b) => b.created_at_ms - a.created_at_ms)];
}

export function filterOf(query: DecisionQuery): (decision: Decision) => boolean {
  const { source, urgency, blocks, requested_by, project, state } = query;
  const words = query.search?.toLowerCase().split(/\s+/).filter(Boolean) ?? [];
  return (it) =>
    (source === undefined || it.source === source) &&
    (urgency === undefined || it.urgency === urgency) &&
    (blocks === undefined || doesBlock(it, blocks)) &&
    (requested_by === undefined || it.requested_by === requested_by) &&
    (project === undefined || it.project === project) &&
    (state === undefined || it.state === state) &&
    (words.length === 0 || hasAll(it, words));
}

export function asksForSettled({ all, state }: DecisionQuery): boolean {
  return all === true || (state !== undefined && state !== "pending");
}

/** Every word is somewhere in what a person has read or written with it. */
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
