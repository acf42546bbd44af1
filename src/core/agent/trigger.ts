/**
 * Does what a runbook says when an agent is idle, dead, in error, asking, or says it is done. Attempts are limited;
 * after that a person is asked.
 */

import { filledFor } from "../flow/agent-scope.ts";
import type { Agent, TriggerName } from "../model/agent-types.ts";
import { never } from "../model/errors.ts";
import type { AgentId } from "../model/ids.ts";
import type { Trigger } from "../model/runbook.ts";
import type { Draft } from "../model/state/draft.ts";
import { hasMessage, sendBack } from "../outbox/parcel.ts";
import { askPerson } from "./ask-person.ts";
import { isHeldBack, keyOf, most, tried, triggerFor, used } from "./attempts.ts";
import { finishOwner } from "./end.ts";
import { runGate } from "./gate.ts";
import type { Occasion } from "./occasion.ts";

/** Does what the runbook says for this occasion. */
export function react(draft: Draft, id: AgentId, occasion: Occasion): void {
  const agent = draft.agent(id);
  const trigger = triggerFor(agent, occasion);
  switch (trigger.action) {
    case "done":
      if (occasion.trigger === "on_signal" && hasMessage(agent)) return; // it gets that first, then signals done again
      return finishOwner(draft, agent, { type: "completed" });
    case "fail": {
      const message = filledFor(draft.state, agent, trigger.message);
      return finishOwner(draft, agent, { type: "failed", error: message ?? occasion.what });
    }
    case "escalate":
      return askPerson(draft, id, occasion, null);
    case "gate":
      if (!isHeldBack(draft, id, occasion.trigger, trigger)) runGate(draft, id, occasion.trigger, trigger);
      return;
    case "nudge":
    case "resume":
      return tryAgain(draft, id, occasion, trigger);
    default:
      never(trigger.action);
  }
}

/**
 * Nudges or resumes as often as allowed, and no sooner than the cooldown allows; after that a person is told what was
 * tried.
 */
function tryAgain(draft: Draft, id: AgentId, occasion: Occasion, trigger: Trigger): void {
  const agent = draft.agent(id);
  if (used(agent, occasion.trigger, trigger) >= most(trigger))
    return askPerson(draft, id, occasion, tried(agent, occasion.trigger, trigger));
  if (!isHeldBack(draft, id, occasion.trigger, trigger))
    attempt(draft, id, occasion.trigger, trigger, occasion.what);
}

function attempt(draft: Draft, id: AgentId, name: TriggerName, trigger: Trigger, what: string): void {
  const agent = draft.agent(id);
  draft.emit({
    type: "agent:tried",
    id,
    project: agent.project,
    trigger: name,
    key: keyOf(name, trigger),
    action: trigger.action,
  });
  const message = filledFor(draft.state, agent, trigger.message);
  sendBack(draft, id, words({ ...trigger, message }, agent, what), what);
}

/** The cooldown is over: the attempt that it delayed is made, unless the agent has moved on. */
export function cooled(draft: Draft, id: AgentId): void {
  const agent = draft.agent(id);
  if (!agent.cooling) return;
  const { trigger: name } = agent.cooling;
  const trigger = triggerFor(agent, {
    trigger: name,
    kind: agent.error?.kind,
  });
  if (trigger.action === "gate") return runGate(draft, id, name, trigger);
  attempt(draft, id, name, trigger, agent.error?.message ?? "the agent stopped");
}

function words(
  { message, append }: { message: string | undefined; append?: boolean },
  agent: Agent,
  what: string,
): string {
  const standard =
    agent.status !== "exited"
      ? "Please continue with your task."
      : `You were interrupted (${what}). Please continue where you left off.`;
  if (message === undefined) return standard;
  return append ? `${standard}\n\n${message}` : message;
}
