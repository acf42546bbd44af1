/**
 * Sends the notifications of the runbook's `notify` blocks. Best effort: nothing waits for them and nothing fails
 * because of them.
 */
import { agentScope } from "../../core/flow/agent-scope.ts";
import { scopeOf } from "../../core/flow/scope.ts";
import type { Agent } from "../../core/model/agent-types.ts";
import type { Event } from "../../core/model/events.ts";
import type { Job } from "../../core/model/job-types.ts";
import type { Notify } from "../../core/model/runbook.ts";
import type { State } from "../../core/model/state/state.ts";
import type { Lookup } from "../../core/script/interpolate.ts";
import { interpolate } from "../../core/script/interpolate.ts";
import { ownerName } from "../../core/text/words.ts";
import type { Ports } from "../../ports.ts";
import type { Engine } from "./engine.ts";
import { rateLimits } from "./rates.ts";

/** A runaway job must not bury the desktop. */
const PER_MINUTE = 60;

export function startNotifications(
  engine: Engine,
  ports: Pick<Ports, "notifier" | "clock" | "journal">,
): () => void {
  const rates = rateLimits(ports.clock, PER_MINUTE);
  return engine.watch((events, state) => {
    for (const event of events) {
      const said = wordsFor(event, state);
      if (said === null) continue;
      try {
        rates.take("notifications");
        void ports.notifier.notify(said.title, said.text);
      } catch {
        ports.journal.warn("too many notifications; skipped this one", { title: said.title });
      }
    }
  });
}

function wordsFor(event: Event, state: Readonly<State>): Words | null {
  switch (event.type) {
    case "job:created":
      return jobWords(state.jobs.get(event.id), "on_start");
    case "job:completed":
      return jobWords(state.jobs.get(event.id), "on_done");
    case "job:failed":
      return jobWords(state.jobs.get(event.id), "on_fail");
    case "agent:spawned":
      return event.incarnation === 1 ? agentWords(state.agents.get(event.id), "on_start", state) : null;
    case "agent:ending":
      if (event.reason === "completed") return agentWords(state.agents.get(event.id), "on_done", state);
      return event.reason === "failed" ? agentWords(state.agents.get(event.id), "on_fail", state) : null;
    case "decision:created":
      return decisionWords(event, state);
    default:
      return null;
  }
}

interface Words {
  title: string;
  text: string;
}

function jobWords(job: Job | undefined, when: keyof Notify): Words | null {
  const text = job?.def.notify?.[when];
  return job === undefined || text === undefined
    ? null
    : { title: `oj: ${job.name}`, text: filled(text, scopeOf(job)) };
}

function agentWords(agent: Agent | undefined, when: keyof Notify, state: Readonly<State>): Words | null {
  const text = agent?.def.notify?.[when];
  return agent === undefined || text === undefined
    ? null
    : { title: `oj: ${ownerName(agent.owner)}`, text: filled(text, agentScope(state, agent)) };
}

/** Who asks, why, and what. The text comes from the runbook: the agent's if it has one, otherwise the job's. */
function decisionWords(
  event: Extract<Event, { type: "decision:created" }>,
  state: Readonly<State>,
): Words | null {
  const { owner, source, title, job_id, agent_id } = event;
  const head = `oj: ${ownerName(owner)} [${source}] ${title}`.slice(0, 120);
  const ofAgent = agentWords(
    agent_id === undefined ? undefined : state.agents.get(agent_id),
    "on_decision",
    state,
  );
  const words = ofAgent ?? jobWords(job_id === undefined ? undefined : state.jobs.get(job_id), "on_decision");
  return words && { title: head, text: words.text };
}

/** A missing value must not keep the notification from going out. */
function filled(text: string, scope: Lookup): string {
  try {
    return interpolate(text, scope);
  } catch {
    return text;
  }
}
