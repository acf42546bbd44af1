/** What a runbook wants done when an agent is idle, dead, in error, asking, or says it is done; bounded, then a person is asked. */

import { finishOwner } from "./agent-owner.ts";
import type { Agent, TriggerName } from "./agent-types.ts";
import { askPerson } from "./ask-person.ts";
import type { Draft } from "./draft.ts";
import { never } from "./errors.ts";
import type { AgentId } from "./ids.ts";
import type { Occasion } from "./occasion.ts";
import { failsGate } from "./occasion.ts";
import { owe } from "./parcel.ts";
import type { Trigger } from "./runbook.ts";

const GATE_TIMEOUT_MS = 600_000;

/** Does what the runbook says for this occasion. */
export function react(draft: Draft, id: AgentId, occasion: Occasion): void {
  const agent = draft.agent(id);
  const trigger = triggerFor(agent, occasion);
  switch (trigger.action) {
    case "done":
      return finishOwner(draft, agent, { type: "completed" });
    case "fail":
      return finishOwner(draft, agent, { type: "failed", error: trigger.message ?? occasion.what });
    case "escalate":
      return askPerson(draft, id, occasion, null);
    case "gate":
      draft.emit({
        type: "agent:gating",
        id,
        project: agent.project,
        gate: {
          run_id: draft.moment.id("run"),
          trigger: occasion.trigger,
          run: trigger.run ?? "false",
          timeout_ms: trigger.timeout_ms ?? GATE_TIMEOUT_MS,
        },
      });
      return;
    case "nudge":
    case "resume":
      return tryAgain(draft, id, occasion, trigger);
    default:
      never(trigger.action);
  }
}

/** Nudges or resumes as often as allowed, no sooner than the cooldown says; then a person hears what was tried. */
function tryAgain(draft: Draft, id: AgentId, occasion: Occasion, trigger: Trigger): void {
  const agent = draft.agent(id);
  const past = agent.attempts[keyOf(occasion.trigger, trigger)];
  if ((past?.used ?? 0) >= most(trigger))
    return askPerson(draft, id, occasion, tried(agent, occasion.trigger, trigger));
  const free = past === undefined ? 0 : past.at_ms + Math.max(trigger.cooldown_ms ?? 0, restAfter(past.used));
  if (free > draft.moment.at_ms) {
    draft.emit({
      type: "agent:cooling",
      id,
      project: agent.project,
      trigger: occasion.trigger,
      until_ms: free,
    });
    return;
  }
  attempt(draft, id, occasion.trigger, trigger, occasion.what);
}

const FREE_ATTEMPTS = 10;
const LONGEST_REST_MS = 60_000;

/** Who fails again and again without a cooldown rests: a second, then twice as long each time, up to a minute. */
function restAfter(used: number): number {
  return used < FREE_ATTEMPTS ? 0 : Math.min(LONGEST_REST_MS, 1000 * 2 ** Math.min(used - FREE_ATTEMPTS, 10));
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
  sendBack(draft, id, words(trigger, agent, what), what);
}

/** Tells a live agent to go on; starts a dead one again, with the same words. */
export function sendBack(draft: Draft, id: AgentId, text: string, reason: string): void {
  const agent = draft.agent(id);
  owe(draft, id, { decision_id: null, prompt_key: null, reply: null, text });
  if (!agent.spawned && agent.status !== "starting")
    draft.emit({ type: "agent:restarting", id, project: agent.project, reason });
}

/** The cooldown is over: the attempt that it held back is made, unless the agent has moved on. */
export function cooled(draft: Draft, id: AgentId): void {
  const agent = draft.agent(id);
  if (!agent.cooling) return;
  const { trigger: name } = agent.cooling;
  const trigger = triggerFor(agent, {
    trigger: name,
    kind: agent.error?.kind,
  });
  attempt(draft, id, name, trigger, agent.error?.message ?? "the agent stopped");
}

/** A gate has run. Passed: done. Failed: the agent is sent back with what it printed, or a person is asked. */
export function gateEnded(
  draft: Draft,
  id: AgentId,
  outcome: { exit_code: number | null; error: string | null; output: string; prime: string; tail: string },
): void {
  const agent = draft.agent(id);
  const { gate } = agent;
  if (!gate) return;
  const passed = outcome.error === null && outcome.exit_code === 0;
  draft.emit({ type: "agent:gated", id, project: agent.project, passed, exit_code: outcome.exit_code });
  if (passed) return finishOwner(draft, agent, { type: "completed" });
  const how = outcome.error ?? `exit code ${outcome.exit_code}`;
  const [code = "", ...printed] = how.split("\n"); // the shell puts what went to stderr behind the exit code
  const output = [printed.join("\n"), outcome.output].filter((it) => it.trim() !== "").join("\n\n");
  const occasion = failsGate(gate, { code, output, tail: outcome.tail });
  const trigger = triggerFor(agent, occasion);
  const key = keyOf(gate.trigger, trigger);
  if ((agent.attempts[key]?.used ?? 0) >= most(trigger)) {
    askPerson(draft, id, occasion, tried(agent, gate.trigger, trigger));
    return;
  }
  draft.emit({ type: "agent:tried", id, project: agent.project, trigger: gate.trigger, key, action: "gate" });
  const text = [
    trigger.message ?? "Not done yet: this check failed.",
    `$ ${gate.run}`,
    how,
    outcome.output,
    outcome.prime,
  ]
    .filter((it) => it.trim() !== "")
    .join("\n\n");
  sendBack(draft, id, text, `the gate failed: ${gate.run}`);
}

function triggerFor(agent: Agent, occasion: Pick<Occasion, "trigger" | "kind">): Trigger {
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

function most(trigger: Trigger): number {
  return trigger.attempts === "forever" ? Number.POSITIVE_INFINITY : (trigger.attempts ?? 1);
}

function keyOf(name: TriggerName, trigger: Trigger): string {
  return trigger.match === undefined ? name : `${name}:${trigger.match}`;
}

function tried(agent: Agent, name: TriggerName, trigger: Trigger): string | null {
  const used = agent.attempts[keyOf(name, trigger)]?.used ?? 0;
  if (used === 0) return null;
  return `Tried before asking: ${trigger.action} ${used === 1 ? "once" : `${used} times`} (${name})`;
}

function words(trigger: Trigger, agent: Agent, what: string): string {
  const standard = agent.spawned
    ? "Please go on with your task."
    : `You were interrupted (${what}). Please go on where you left off.`;
  if (trigger.message === undefined) return standard;
  return trigger.append ? `${standard}\n\n${trigger.message}` : trigger.message;
}
