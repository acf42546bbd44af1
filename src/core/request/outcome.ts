/**
 * What follows when a request is settled: the work it blocked continues or stays blocked, and the asker is told the
 * outcome.
 */

import { aftermathOf, blockedWork, freeWork } from "../flow/block.ts";
import { hasQuestion, ownerGoesOn } from "../flow/owner.ts";
import { jobGoesOn } from "../flow/step-requests.ts";
import type { Agent } from "../model/agent-types.ts";
import { endsWithTurn } from "../model/clients.ts";
import type { Answer, Decision } from "../model/decision-types.ts";
import { isAside } from "../model/decision-types.ts";
import type { AgentId } from "../model/ids.ts";
import type { Draft } from "../model/state/draft.ts";
import { owe } from "../outbox/parcel.ts";
import { tellRequester } from "../outbox/queue.ts";
import { saysNo } from "../template/rule.ts";
import type { Outcome } from "../text/outcome-words.ts";
import { outcomeWords } from "../text/outcome-words.ts";

/** Somebody answered or dismissed the request, and that is already recorded. */
export function requestAnswered(
  draft: Draft,
  decision: Decision,
  outcome: { state: "resolved" | "dismissed"; answer: Answer },
): void {
  if (freesWork(decision, outcome.state, outcome.answer)) freeWork(draft, decision, outcome.answer.by);
  jobRunsAgain(draft, decision);
  const agent = agentOf(draft, decision);
  if (agent && isOver(agent) && outcome.state === "resolved") nobodyLeft(draft, decision);
  else tell(draft, decision, outcome);
}

/**
 * The request ends without an answer: it was taken back, or nobody answered in time. The asker is told that too, unless
 * they did it themselves.
 */
export function endRequest(
  draft: Draft,
  decision: Decision,
  outcome: Extract<Outcome, { reason: string }>,
): void {
  const { id, project, requested_by } = decision;
  const { reason, by } = outcome;
  const frees = freesWork(decision, outcome.state);
  const ended = { id, project, reason, by, aftermath: aftermathOf(draft.state, decision, frees) };
  if (outcome.state === "withdrawn") draft.emit({ type: "decision:withdrawn", ...ended });
  else draft.emit({ type: "decision:expired", ...ended, ...chosenBy(outcome) });
  if (frees) freeWork(draft, decision, by);
  jobRunsAgain(draft, decision);
  const agent = agentOf(draft, decision);
  if (agent && isOver(agent) && outcome.state === "expired" && outcome.answer) nobodyLeft(draft, decision);
  else if (by !== requested_by) tell(draft, decision, outcome);
}

/** What a deadline chose, if it chose something. */
function chosenBy({ answer, default: key }: Extract<Outcome, { state: "expired" }>) {
  return answer === undefined || key === undefined ? {} : { answer, default: key };
}

/** The step that asked continues with the outcome. */
function jobRunsAgain(draft: Draft, decision: Decision): void {
  for (const fact of jobGoesOn(draft.state, decision)) draft.emit(fact);
}

/**
 * An answer unblocks the work; any other outcome does so only if that was asked for. Where a rule says who may answer,
 * only a yes does.
 */
export function freesWork(decision: Decision, state: Outcome["state"], answer?: Answer): boolean {
  if (decision.rule) return state === "resolved" && answer !== undefined && !saysNo(decision, answer);
  return state === "resolved" || decision.on_cancel === "unblock";
}

/**
 * The agent's work is over: nobody is left to hear the answer. A request that other work waits for stays until it is
 * answered.
 */
export function endRequestsOf(draft: Draft, id: AgentId, by: string): void {
  for (const decision of pendingRequests(draft, id)) {
    if (blockedWork(draft.state, decision).length > 0) continue;
    endRequest(draft, decision, { state: "withdrawn", reason: "the agent's work is over", by });
  }
}

/** The agent's requests that nobody has settled. */
export function pendingRequests(draft: Draft, id: AgentId): Decision[] {
  return [...draft.state.pending].flatMap((it) => {
    const decision = draft.state.decisions.get(it);
    const isOpen = decision?.agent_id === id && decision.source === "request";
    return isOpen ? [decision] : [];
  });
}

/** Those that it waits for: what it asked aside is no reason to be silent. */
export function awaitedRequests(draft: Draft, id: AgentId): Decision[] {
  return pendingRequests(draft, id).filter((it) => !isAside(it));
}

/** An agent of ours is owed the outcome until it has it; for others it waits in their queue, or until they fetch it. */
function tell(draft: Draft, decision: Decision, outcome: Outcome): void {
  const agent = agentOf(draft, decision);
  if (!agent) {
    for (const fact of tellRequester(draft.state, decision, outcome)) draft.emit(fact);
    return;
  }
  if (isOver(agent)) return;
  const { id, project } = agent;
  const text = `Your request ${outcomeWords(decision, outcome)}`;
  owe(draft, id, { decision_id: decision.id, prompt_key: null, reply: null, text });
  if (hasQuestion(draft, id)) return; // another question keeps it waiting
  if (agent.status === "exited" && endsWithTurn(draft, agent))
    draft.emit({ type: "agent:restarting", id, project, reason: `${decision.id} was settled` });
  ownerGoesOn(draft, agent);
}

/** An answer that unblocked work has done what it was for, even if the asker is gone. */
function nobodyLeft(draft: Draft, { id, project, blocks }: Decision): void {
  const error = "the agent's work was over before it got this";
  if (blocks.length > 0) draft.emit({ type: "decision:acknowledged", id, project });
  else draft.emit({ type: "decision:undelivered", id, project, error });
}

function agentOf(draft: Draft, { agent_id }: Decision): Agent | null {
  return agent_id && draft.state.agents.has(agent_id) ? draft.agent(agent_id) : null;
}

function isOver({ status, stopping }: Agent): boolean {
  return status === "ended" || stopping === "end";
}
