/** Turns an occasion into a decision: what happened, the exact action, the options, and the last lines of output. */

import { ownerWaits } from "../flow/owner.ts";
import type { Agent } from "../model/agent-types.ts";
import { exactAction } from "../model/agent-types.ts";
import type { Decision, ExactAction, Question } from "../model/decision-types.ts";
import type { AgentId } from "../model/ids.ts";
import type { Overdue } from "../model/runbook.ts";
import type { Draft } from "../model/state/draft.ts";
import { optionsFor } from "../template/options.ts";
import { overdueFields } from "../template/overdue.ts";
import { quoted } from "../text/quote.ts";
import { triggerFor } from "./attempts.ts";
import type { Occasion } from "./occasion.ts";
import { screenLines } from "./screen-lines.ts";

/**
 * Asks a person. This supersedes the pending question about the same agent, but an approval never replaces a question
 * or plan.
 */
export function askPerson(draft: Draft, id: AgentId, occasion: Occasion, tried: string | null): void {
  const agent = draft.agent(id);
  const { project, owner } = agent;
  const decisionId = draft.moment.id("dec");
  const before = replaced(draft, agent, occasion);
  const prompt = occasion.prompt ?? null;
  const options = optionsFor(occasion.source, prompt, owner.kind, occasion.expected);
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
    title: occasion.title,
    context: contextOf(agent, occasion, tried),
    fields: {},
    urgency: "medium",
    options,
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
    ...overdueFields(saidBy(draft, agent, occasion), options, draft.moment.at_ms),
  });
  if (before) draft.emit({ type: "decision:superseded", id: before.id, project, superseded_by: decisionId });
  const failure = occasion.failure === undefined ? {} : { failure: occasion.failure };
  draft.emit({ type: "agent:asked", id, project, decision_id: decisionId, ...failure });
  ownerWaits(draft, agent, decisionId);
}

/** What the trigger, the agent and its job say about what happens while nobody answers; the nearest comes first. */
function saidBy(draft: Draft, agent: Agent, occasion: Occasion): (Overdue | undefined)[] {
  const { owner, def } = agent;
  const job = owner.kind === "job" && draft.state.jobs.has(owner.id) ? draft.job(owner.id) : null;
  return [triggerFor(agent, occasion), def.notify, job?.def.notify];
}

function replaced(draft: Draft, agent: Agent, occasion: Occasion): Decision | null {
  for (const id of draft.state.pending) {
    const decision = draft.state.decisions.get(id);
    if (decision?.agent_id !== agent.id || decision.source === "request") continue;
    const keeps =
      occasion.source === "approval" && (decision.source === "question" || decision.source === "plan");
    if (!keeps && !isOpenDialog(agent, decision, occasion)) return decision;
  }
  return null;
}

/** A dialog stays on the screen whatever else the agent says: both are asked. */
function isOpenDialog({ prompt }: Agent, { prompt_key }: Decision, occasion: Occasion): boolean {
  return prompt_key !== null && prompt_key === prompt?.key && occasion.prompt === undefined;
}

function actionOf({ prompt }: Occasion): ExactAction | null {
  if (!prompt || prompt.kind === "question" || prompt.choices.length > 0) return null; // the context shows the screen
  return exactAction(prompt);
}

/** Our own words stay as they are; those of others are marked by `quoted`. The plan itself is the decision's action. */
function contextOf(agent: Agent, occasion: Occasion, tried: string | null): string {
  const { what, said, since = [], prompt, last } = occasion;
  const { owner } = agent;
  const where =
    owner.kind === "job"
      ? `step "${owner.step}" of ${owner.name} (${owner.id})`
      : `crew ${owner.name} (${owner.id})`;
  const message = last || agent.last_message;
  const parts = [
    `${what}\nAgent ${agent.name} (${agent.id}), ${where}`,
    said ? quoted(said.quote, said.text) : "",
    tried ?? "",
    ...since,
    quoted("questions", (prompt?.questions ?? []).map(asked).join("\n")),
    quoted("message", isSaid(message, said) ? "" : message),
    quoted("task", taskOf(agent.def.prompt ?? "")),
    quoted("screen", screenLines(occasion)),
  ];
  return parts.filter((it) => it !== "").join("\n\n");
}

const TASK_LINES = 3;
const TASK_LENGTH = 240;

/** The beginning of what the agent was told to do, which is enough to know it by. */
function taskOf(prompt: string): string {
  const lines = prompt
    .split("\n")
    .map((it) => it.trimEnd())
    .filter((it) => it !== "");
  const begin = [...lines.slice(0, TASK_LINES).join("\n")];
  const isCut = lines.length > TASK_LINES || begin.length > TASK_LENGTH;
  return begin.slice(0, TASK_LENGTH).join("").trimEnd() + (isCut ? " …" : "");
}

/** Clients report what they show, and agents tell us what they have just said. */
function isSaid(text: string, said: Occasion["said"]): boolean {
  if (said?.quote !== "signal" && said?.quote !== "error") return false;
  return oneLine(said.text).includes(oneLine(text));
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function asked({ header, question }: Question): string {
  return header === null ? question : `[${header}] ${question}`;
}
