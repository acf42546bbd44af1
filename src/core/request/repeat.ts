/**
 * The same asker asks the same thing again while nobody has answered: that is one decision with a count, and each who
 * waits gets the answer. Other words, another call, or another effect on a file is another decision.
 */
import type { Prompt } from "../model/agent-types.ts";
import type { Decision } from "../model/decision-types.ts";
import type { DecisionFact, Fact } from "../model/events.ts";
import type { Fixed } from "../model/fixed.ts";
import type { AgentId, DecisionId } from "../model/ids.ts";
import type { State } from "../model/state/state.ts";
import { canonical } from "../text/hash.ts";

type Created = Fixed<Extract<DecisionFact, { type: "decision:created" }>>;

/** Whether the request says what the pending one says, down to the last word, and is as urgent. */
export function isSameRequest(before: Decision, asked: Created): boolean {
  return canonical(wordsOf(before)) === canonical(wordsOf(asked));
}

function wordsOf(it: Decision | Created): unknown {
  const { title, context, fields, options, urgency, template, blocks, parent, predecessor } = it;
  const { deadline_at_ms, default: key = null, escalation, asked_in = null, on_cancel = "keep" } = it;
  const chain = escalation === undefined ? null : "def" in escalation ? escalation.def.name : escalation.name;
  const deadline = deadline_at_ms === undefined ? null : deadline_at_ms - it.created_at_ms;
  const links = [template, blocks.toSorted(), parent, predecessor, on_cancel, asked_in];
  return [title, context, fields, options, urgency, links, deadline, key, chain, it.rule ?? null];
}

/** The pending dialog of this agent or session about the same call, or with the same questions. */
export function sameDialog(
  state: Readonly<State>,
  asker: { agent_id: AgentId | null; session: string | null },
  prompt: Prompt,
): Decision | null {
  if (prompt.choices.length > 0) return null; // its keys belong to one screen
  for (const id of state.pending) {
    const decision = state.decisions.get(id);
    if (!decision || decision.source !== prompt.kind || decision.prompt_key === null) continue;
    if (decision.agent_id !== asker.agent_id || decision.session !== asker.session) continue;
    if (aboutOf(decision) === aboutOf({ ...prompt, action: prompt })) return decision;
  }
  return null;
}

/** An approval is about the call and what it would do to a file now: one that would do something else is another. */
function aboutOf({ action, questions }: Pick<Decision, "action" | "questions">): string {
  if (questions.length > 0) return canonical(questions);
  return canonical([action?.tool ?? null, action?.sha256 ?? null, action?.diff?.text ?? null]);
}

export function repeated({ id, project }: Pick<Decision, "id" | "project">, key: string): Fact {
  return { type: "decision:repeated", id, project, key };
}

/** One of several who wait is gone. The others still wait; null stands for whoever asked first. */
export function leaveDecision(
  state: Readonly<State>,
  { id, key }: { id: DecisionId; key: string | null },
): Fact[] {
  const decision = state.decisions.get(id);
  if (decision?.state !== "pending" || (decision.count ?? 1) < 2) return [];
  return [{ type: "decision:left", id, project: decision.project, key }];
}

/** Somebody who asked the same has the answer, or was gone before it came. */
export function answerShared(
  state: Readonly<State>,
  { id, key, arrived }: { id: DecisionId; key: string; arrived: boolean },
): Fact[] {
  const project = state.decisions.get(id)?.project;
  return project === undefined ? [] : [{ type: "decision:shared", id, project, key, arrived }];
}
