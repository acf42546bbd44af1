/** Turns an occasion into a decision: what happened, the exact action, the options, and the last lines of output. */

import { isSettledIn, ownerWaits } from "./agent-owner.ts";
import type { Agent } from "./agent-types.ts";
import type { Decision, ExactAction } from "./decision-types.ts";
import type { Draft } from "./draft.ts";
import type { AgentId, DecisionId } from "./ids.ts";
import type { Occasion } from "./occasion.ts";
import { optionsFor } from "./options.ts";

const TAIL_LINES = 50;

/** Asks; the pending question about the same agent is superseded, except that an approval never replaces a question or plan. */
export function askPerson(draft: Draft, id: AgentId, occasion: Occasion, tried: string | null): void {
  const agent = draft.agent(id);
  const { project, owner } = agent;
  const decisionId = draft.moment.id("dec");
  const before = replaced(draft, agent, occasion);
  const prompt = occasion.prompt ?? null;
  draft.emit({
    type: "decision:created",
    id: decisionId,
    project,
    owner:
      owner.kind === "job"
        ? { kind: "job", id: owner.id, name: owner.name, step: owner.step }
        : { kind: "crew", id: owner.id, name: owner.name },
    ...(owner.kind === "job" ? { job_id: owner.id } : {}),
    agent_id: id,
    source: occasion.source,
    title: titleOf(occasion),
    context: contextOf(agent, occasion, tried),
    fields: {},
    urgency: "medium",
    options: optionsFor(occasion.source, prompt),
    questions: prompt?.questions ?? [],
    action: actionOf(occasion),
    requested_by: null,
    template: null,
    prompt_key: prompt?.key ?? null,
    blocks: [],
    parent: null,
    predecessor: null,
    supersedes: before?.id ?? null,
    created_at_ms: draft.moment.at_ms,
  });
  if (before) draft.emit({ type: "decision:superseded", id: before.id, project, superseded_by: decisionId });
  draft.emit({ type: "agent:asked", id, project, decision_id: decisionId });
  ownerWaits(draft, agent, decisionId);
}

function replaced(draft: Draft, agent: Agent, occasion: Occasion): Decision | null {
  for (const id of draft.state.pending) {
    const decision = draft.state.decisions.get(id as DecisionId);
    if (decision?.agent_id !== agent.id || decision.source === "request" || isSettledIn(draft, decision.id))
      continue;
    const keeps =
      occasion.source === "approval" && (decision.source === "question" || decision.source === "plan");
    if (!keeps) return decision;
  }
  return null;
}

function titleOf({ what, prompt }: Occasion): string {
  const [first] = prompt?.questions ?? [];
  if (!first) return what;
  const more = (prompt?.questions.length ?? 1) - 1;
  return more > 0 ? `${first.question} (and ${more} more)` : first.question;
}

function actionOf({ prompt }: Occasion): ExactAction | null {
  if (!prompt || prompt.kind === "question" || prompt.choices.length > 0) return null; // what a screen shows is in the context
  return { tool: prompt.tool, input: prompt.input, sha256: prompt.sha256 };
}

function contextOf(agent: Agent, { what, details, tail, prompt }: Occasion, tried: string | null): string {
  const { owner } = agent;
  const where =
    owner.kind === "job"
      ? `step "${owner.step}" of ${owner.name} (${owner.id})`
      : `crew ${owner.name} (${owner.id})`;
  const parts = [
    `${what}\nAgent ${agent.name} (${agent.id}), ${where}`,
    details,
    tried ?? "",
    planOf(prompt),
    agent.last_message && !prompt ? `Its last message:\n${agent.last_message}` : "",
    tail.trim() === "" ? "" : `The last lines of its output:\n${lastLines(tail)}`,
  ];
  return parts.filter((it) => it.trim() !== "").join("\n\n");
}

function planOf(prompt: Occasion["prompt"]): string {
  const plan = prompt?.kind === "plan" ? (prompt.input as { plan?: unknown } | null)?.plan : undefined;
  return typeof plan === "string" ? `The plan:\n${plan}` : "";
}

function lastLines(text: string): string {
  return text.trimEnd().split("\n").slice(-TAIL_LINES).join("\n");
}
