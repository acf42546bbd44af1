/** What a person tells an agent or does to it when there is no question to answer: `oj agent send`, `oj agent kill`. */
import { hasQuestion, ownerGoesOn } from "../flow/owner.ts";
import type { Agent } from "../model/agent-types.ts";
import { Refusal } from "../model/errors.ts";
import type { Fact } from "../model/events.ts";
import type { Moment } from "../model/ids.ts";
import type { Draft } from "../model/state/draft.ts";
import { draftOn } from "../model/state/draft.ts";
import { findAgent } from "../model/state/find.ts";
import type { State } from "../model/state/state.ts";
import { owe, sendBack } from "../outbox/parcel.ts";
import { pendingRequests } from "../request/outcome.ts";

/**
 * The agent gets the words when it next waits for some. One that is gone, and that nobody is asked about, is restarted
 * to get them.
 */
export function sendToAgent(
  state: Readonly<State>,
  { id: text, text: words }: { id: string; text: string },
  moment: Moment,
): Fact[] {
  const { id } = living(state, text);
  const draft = draftOn(state, moment);
  if (isLeft(draft, draft.agent(id))) {
    sendBack(draft, id, words, "a person has a message for it");
    ownerGoesOn(draft, draft.agent(id));
  } else owe(draft, id, { decision_id: null, prompt_key: null, reply: null, text: words, sent: true });
  return draft.facts;
}

/** A person kills an agent: `oj agent kill`. What follows is what its runbook says about a death. */
export function killAgent(state: Readonly<State>, input: { id: string }, moment: Moment): Fact[] {
  const agent = living(state, input.id);
  if (agent.stopping) return [];
  if (agent.status === "exited") throw gone(state, agent);
  const draft = draftOn(state, moment);
  draft.emit({ type: "agent:killing", id: agent.id, project: agent.project });
  return draft.facts;
}

function living(state: Readonly<State>, text: string): Agent {
  const agent = findAgent(state, text);
  if (agent.status === "ended" || agent.stopping === "end")
    throw new Refusal("agent.ended", `${agent.id} has ended`, `oj agent logs ${agent.id}`);
  return agent;
}

/** The agent's process is gone, and nothing that is under way or asked will restart it. */
function isLeft(draft: Draft, { id, status, stopping, gate, cooling }: Agent): boolean {
  const isGone = status === "exited" && !stopping && !gate && !cooling;
  return isGone && !hasQuestion(draft, id) && pendingRequests(draft, id).length === 0;
}

/** There is nothing to kill. What to do instead depends on whether somebody is asked. */
function gone(state: Readonly<State>, { id, exit, owner, decision_id }: Agent): Refusal {
  const isAsked = decision_id !== null && state.pending.has(decision_id);
  const how = exit?.signal ? ` (killed by ${exit.signal})` : exit ? ` (exit code ${exit.code})` : "";
  return new Refusal(
    "agent.gone",
    `the process of ${id} is already gone${how}`,
    isAsked
      ? `oj decision show ${decision_id}`
      : `oj ${owner.kind} resume ${owner.id}, or: oj ${owner.kind} cancel ${owner.id}`,
  );
}
