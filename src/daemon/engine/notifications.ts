/**
 * Sends what the runbook's `notify` blocks say about the life of a job or agent. Best effort: nothing waits for it and
 * nothing fails because of it. `decision-notices.ts` tells about decisions.
 */
import { agentScope } from "../../core/flow/agent-scope.ts";
import { scopeOf } from "../../core/flow/scope.ts";
import type { Agent } from "../../core/model/agent-types.ts";
import type { Event } from "../../core/model/events.ts";
import type { Job } from "../../core/model/job-types.ts";
import type { State } from "../../core/model/state/state.ts";
import type { Lookup } from "../../core/script/interpolate.ts";
import { interpolate } from "../../core/script/interpolate.ts";
import { ownerName } from "../../core/text/words.ts";
import type { Notice, Ports } from "../../ports.ts";
import type { Engine } from "./engine.ts";
import { rateLimits } from "./rates.ts";

/** A runaway job must not bury the desktop. */
const PER_MINUTE = 60;

export function startNotifications(
  engine: Engine,
  ports: Pick<Ports, "notifier" | "clock" | "journal">,
  isQuiet: () => boolean,
): () => void {
  const rates = rateLimits(ports.clock, PER_MINUTE);
  return engine.watch((events, state) => {
    for (const event of events) {
      const said = wordsFor(event, state);
      if (said === null || isQuiet()) continue;
      try {
        rates.take("notifications");
        void ports.notifier.notify(said);
      } catch {
        ports.journal.warn("too many notifications; skipped this one", { title: said.title });
      }
    }
  });
}

function wordsFor(event: Event, state: Readonly<State>): Notice | null {
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
    default:
      return null;
  }
}

type When = "on_start" | "on_done" | "on_fail";

function jobWords(job: Job | undefined, when: When): Notice | null {
  const text = job?.def.notify?.[when];
  return job === undefined || text === undefined
    ? null
    : { title: `oj: ${job.name}`, text: filled(text, scopeOf(job)), isUrgent: false };
}

function agentWords(agent: Agent | undefined, when: When, state: Readonly<State>): Notice | null {
  const text = agent?.def.notify?.[when];
  return agent === undefined || text === undefined
    ? null
    : {
        title: `oj: ${ownerName(agent.owner)}`,
        text: filled(text, agentScope(state, agent)),
        isUrgent: false,
      };
}

/** A missing value must not keep the notice from going out. */
export function filled(text: string, scope: Lookup): string {
  try {
    return interpolate(text, scope);
  } catch {
    return text;
  }
}
