/**
 * Gates, the shell lines that decide whether an agent is done: how a trigger starts one, and what follows when it has
 * run.
 */

import { failingLines } from "../failure/failing-lines.ts";
import { filledFor } from "../flow/agent-scope.ts";
import { blockedWork } from "../flow/block.ts";
import { hasQuestion, ownerWaits } from "../flow/owner.ts";
import type { Agent, Gate, Prompt, TriggerName } from "../model/agent-types.ts";
import type { AgentId } from "../model/ids.ts";
import type { Trigger } from "../model/runbook.ts";
import type { Draft } from "../model/state/draft.ts";
import { hasMessage, sendBack } from "../outbox/parcel.ts";
import { pendingRequests } from "../request/outcome.ts";
import { promoteFor } from "../request/promote.ts";
import { askPerson } from "./ask-person.ts";
import { keyOf, most, tried, triggerFor, used } from "./attempts.ts";
import { finishOwner } from "./end.ts";
import type { FolderChanges } from "./gate-history.ts";
import { failuresOf, historyParts } from "./gate-history.ts";
import type { Occasion } from "./occasion.ts";
import { failsGate, prompts } from "./occasion.ts";

const GATE_TIMEOUT_MS = 600_000;

export function runGate(draft: Draft, id: AgentId, name: TriggerName, trigger: Trigger): void {
  draft.emit({
    type: "agent:gating",
    id,
    project: draft.agent(id).project,
    gate: {
      run_id: draft.moment.id("run"),
      trigger: name,
      key: keyOf(name, trigger),
      run: trigger.run ?? "false",
      timeout_ms: trigger.timeout_ms ?? GATE_TIMEOUT_MS,
    },
  });
}

/** How the run of a gate ended, and what the agent's screen showed at that point. */
export interface GateOutcome {
  exit_code: number | null;
  error: string | null;
  output: string;
  prime: string;
  tail: string;
  last_message?: string;
  /** What of all its output, both streams in order, says what failed. Without it, what was kept is looked through. */
  failing?: { text: string; reason: string };
  changes?: FolderChanges | null;
}

/** A gate has run. Passed: done. Failed: the agent is sent back with what the gate printed, or a person is asked. */
export function gateEnded(draft: Draft, id: AgentId, outcome: GateOutcome): void {
  const agent = draft.agent(id);
  const { gate } = agent;
  if (!gate) return;
  const { exit_code, changes = null, tail, last_message: last } = outcome;
  const { project } = agent;
  if (outcome.error === null && exit_code === 0) {
    draft.emit({ type: "agent:gated", id, project, passed: true, exit_code });
    return pass(draft, agent, gate);
  }
  const how = outcome.error ?? `exit code ${exit_code}`;
  const [code = "", ...printed] = how.split("\n"); // a shell that reads two streams adds stderr after the exit code
  const output = [printed.join("\n"), outcome.output].filter((it) => it.trim() !== "").join("\n\n");
  const { text: shown, reason } = outcome.failing?.text ? outcome.failing : failingLines(output);
  const failed = { how: code, reason, tree: changes?.tree ?? null };
  const since = historyParts(failuresOf(agent, gate), changes, draft.moment.at_ms); // before this one is recorded
  draft.emit({ type: "agent:gated", id, project, passed: false, exit_code, failed });
  const occasion = failsGate(gate, { code, output, shown, since, tail, last });
  if (gate.trigger === "on_prompt" && agent.prompt) return askBoth(draft, agent, agent.prompt, occasion);
  if (agent.status === "exited" && hasQuestion(draft, id)) return; // it died meanwhile: whoever is asked about that decides
  const trigger = gateTrigger(agent, gate);
  if (used(agent, gate.trigger, trigger) >= most(trigger)) {
    askPerson(draft, id, occasion, tried(agent, gate.trigger, trigger));
    return;
  }
  const key = keyOf(gate.trigger, trigger);
  draft.emit({ type: "agent:tried", id, project: agent.project, trigger: gate.trigger, key, action: "gate" });
  const text = [
    filledFor(draft.state, agent, trigger.message) ?? "Not done yet: this check failed.",
    `$ ${gate.run}`,
    how,
    outcome.output,
    outcome.prime,
  ]
    .filter((it) => it.trim() !== "")
    .join("\n\n");
  sendBack(draft, id, text, `the gate failed: ${gate.run}`);
}

/**
 * The agent is done, unless it said so while its own request is pending: then it gets the answer before anything else.
 */
function pass(draft: Draft, agent: Agent, { trigger }: Gate): void {
  const offered = trigger === "on_signal" ? pendingRequests(draft, agent.id) : [];
  const waits = offered.find((it) => blockedWork(draft.state, it).length === 0);
  if (waits) {
    promoteFor(draft, agent.id, `${agent.name} says it is done`);
    return ownerWaits(draft, agent, waits.id);
  }
  if (offersAnswered(draft, agent) || isOwedWords(agent)) return; // it gets that first, and the gate runs again after it
  finishOwner(draft, agent, { type: "completed" });
}

/**
 * It was told something while the gate ran. Words don't reach an agent that is gone; one that shows a dialog hears what
 * a person sent it once that is answered.
 */
function isOwedWords(agent: Agent): boolean {
  const { spawned, status, outbox } = agent;
  if (!spawned) return false;
  return status === "prompting" ? hasMessage(agent) : outbox.some((it) => it.state === "owed");
}

/** Its requests were answered while the gate ran. */
function offersAnswered({ state }: Draft, { outbox }: Agent): boolean {
  return outbox.some(
    ({ decision_id, state: sent }) =>
      sent === "owed" && decision_id !== null && state.decisions.get(decision_id)?.source === "request",
  );
}

/** Words don't reach an agent that shows a dialog: a person answers the dialog, and sees why the gate did not pass. */
function askBoth(draft: Draft, agent: Agent, prompt: Prompt, { tail, last, ...failure }: Occasion): void {
  const dialog = prompts(draft, agent, prompt, tail, last);
  const { what, said, since = [] } = failure;
  askPerson(draft, agent.id, { ...dialog, what: `${dialog.what}\n${what}`, said, since }, null);
}

/** The trigger that started this gate; the error that it runs for may be over. */
function gateTrigger(agent: Agent, { trigger: name, key }: Gate): Trigger {
  const entries = name === "on_error" ? (agent.def.on_error ?? []) : [];
  return entries.find((it) => keyOf(name, it) === key) ?? triggerFor(agent, { trigger: name });
}
