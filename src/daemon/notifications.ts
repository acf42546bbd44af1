/** Tells people what the runbook's `notify` blocks want told. Best effort: nothing waits for it and nothing fails with it. */
import type { Agent } from "../core/agent-types.ts";
import type { Event } from "../core/events.ts";
import { interpolate } from "../core/interpolate.ts";
import type { Job } from "../core/job-types.ts";
import type { Notify } from "../core/runbook.ts";
import { scopeOf } from "../core/scope.ts";
import type { State } from "../core/state.ts";
import type { Engine } from "./engine.ts";
import type { Ports } from "./ports.ts";
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
        ports.journal.warn("too many notifications; this one was left out", { title: said.title });
      }
    }
  });
}

function wordsFor(event: Event, state: Readonly<State>): { title: string; text: string } | null {
  switch (event.type) {
    case "job:created":
      return jobWords(state.jobs.get(event.id), "on_start");
    case "job:completed":
      return jobWords(state.jobs.get(event.id), "on_done");
    case "job:failed":
      return jobWords(state.jobs.get(event.id), "on_fail");
    case "decision:created": {
      const job = event.job_id === undefined ? undefined : state.jobs.get(event.job_id);
      const agent = event.agent_id === undefined ? undefined : state.agents.get(event.agent_id);
      const text = agent?.def.notify?.on_decision ?? job?.def.notify?.on_decision;
      return text === undefined
        ? null
        : { title: `oj: ${event.title}`.slice(0, 120), text: filled(text, job, agent) };
    }
    default:
      return null;
  }
}

function jobWords(job: Job | undefined, when: keyof Notify): { title: string; text: string } | null {
  const text = job?.def.notify?.[when];
  return job === undefined || text === undefined
    ? null
    : { title: `oj: ${job.name}`, text: filled(text, job, undefined) };
}

function filled(text: string, job: Job | undefined, agent: Agent | undefined): string {
  try {
    return job ? interpolate(text, scopeOf(job)) : text;
  } catch {
    return agent ? `${agent.name}: ${text}` : text; // a value that is not there must not keep the word from getting out
  }
}
