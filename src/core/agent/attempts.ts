/**
 * How often a trigger was followed, how often it may be, and when it may be next. All of it comes from facts, so it
 * survives a restart.
 */

import type { Agent, TriggerName } from "../model/agent-types.ts";
import type { AgentId } from "../model/ids.ts";
import type { Trigger } from "../model/runbook.ts";
import type { Draft } from "../model/state/draft.ts";
import type { Occasion } from "./occasion.ts";

export function triggerFor(agent: Agent, occasion: Pick<Occasion, "trigger" | "kind">): Trigger {
  const { def } = agent;
  if (occasion.trigger === "on_error") {
    return (
      def.on_error?.find((it) => it.match === undefined || it.match === occasion.kind) ?? {
        action: "escalate",
      }
    );
  }
  return def[occasion.trigger] ?? { action: occasion.trigger === "on_signal" ? "done" : "escalate" };
}

/** The last attempt was too recent: the next one is made when the cooldown is over. */
export function isHeldBack(draft: Draft, id: AgentId, name: TriggerName, trigger: Trigger): boolean {
  const { project, attempts } = draft.agent(id);
  const past = attempts[keyOf(name, trigger)];
  if (past === undefined) return false;
  const until_ms = past.at_ms + Math.max(trigger.cooldown_ms ?? 0, restAfter(past.used));
  if (until_ms <= draft.moment.at_ms) return false;
  draft.emit({ type: "agent:cooling", id, project, trigger: name, until_ms });
  return true;
}

const FREE_ATTEMPTS = 10;
const LONGEST_REST_MS = 60_000;

/** An agent that keeps failing without a cooldown rests: a second, then twice as long each time, up to a minute. */
function restAfter(used: number): number {
  return used < FREE_ATTEMPTS ? 0 : Math.min(LONGEST_REST_MS, 1000 * 2 ** Math.min(used - FREE_ATTEMPTS, 10));
}

export function most(trigger: Trigger): number {
  return trigger.attempts === "forever" ? Number.POSITIVE_INFINITY : (trigger.attempts ?? 1);
}

export function keyOf(name: TriggerName, trigger: Trigger): string {
  return trigger.match === undefined ? name : `${name}:${trigger.match}`;
}

export function used(agent: Agent, name: TriggerName, trigger: Trigger): number {
  return agent.attempts[keyOf(name, trigger)]?.used ?? 0;
}

export function tried(agent: Agent, name: TriggerName, trigger: Trigger): string | null {
  const times = used(agent, name, trigger);
  if (times === 0) return null;
  return `Tried before asking: ${trigger.action} ${times === 1 ? "once" : `${times} times`} (${name})`;
}
