/**
 * Writes what agents do for a job into the job's log: when one begins, asks, is checked and ends. What it prints is in
 * its own log. A crew's log is that of its gates.
 */
import type { Event } from "../../core/model/events.ts";
import type { AgentId, CrewId, JobId } from "../../core/model/ids.ts";
import type { State } from "../../core/model/state/state.ts";
import type { Ports } from "../../ports.ts";
import type { Engine } from "./engine.ts";

/** Best effort: a line is lost if the daemon dies right before writing it. The events have what it would have said. */
export function startJobLog(engine: Engine, { files }: Pick<Ports, "files">): () => void {
  return engine.watch((events, state) => {
    for (const event of events) {
      const line = lineOf(event, state);
      if (line) void files.write(line.owner_id, line.text).catch(() => {});
    }
  });
}

interface Line {
  owner_id: JobId | CrewId;
  text: string;
}

function lineOf(event: Event, state: Readonly<State>): Line | null {
  switch (event.type) {
    case "agent:created":
      return event.owner.kind === "job" && state.jobs.has(event.owner.id)
        ? { owner_id: event.owner.id, text: heading(event.owner.step, `agent ${event.name}, ${event.id}`) }
        : null;
    case "agent:restarting":
      return ofAgent(state, event.id, "the agent is restarted");
    case "agent:gating":
      return ofGate(state, event.id, `gate: ${oneLine(event.gate.run)}`);
    case "agent:gated":
      return ofGate(
        state,
        event.id,
        `gate: ${event.passed ? "passed" : `failed, exit code ${event.exit_code}`}`,
      );
    case "decision:created":
      return event.agent_id
        ? ofAgent(state, event.agent_id, `asks ${event.id}: ${oneLine(event.title)}`)
        : null;
    case "step:completed":
      return ofStep(state, event, "done");
    case "step:failed":
      return ofStep(state, event, `failed: ${oneLine(event.error)}`);
    case "step:cancelled":
      return ofStep(state, event, "cancelled");
    default:
      return null;
  }
}

function ofAgent(state: Readonly<State>, id: AgentId, text: string): Line | null {
  const owner = state.agents.get(id)?.owner;
  return owner?.kind === "job" ? { owner_id: owner.id, text: `── ${owner.step}: ${text}\n` } : null;
}

function ofGate(state: Readonly<State>, id: AgentId, text: string): Line | null {
  const owner = state.agents.get(id)?.owner;
  return owner?.kind === "crew" ? { owner_id: owner.id, text: `── ${text}\n` } : ofAgent(state, id, text);
}

function ofStep(
  state: Readonly<State>,
  { job_id, step }: { job_id: JobId; step: string },
  text: string,
): Line | null {
  const def = state.jobs.get(job_id)?.def.steps.find((it) => it.name === step);
  return def?.run.type === "agent" ? { owner_id: job_id, text: `── ${step}: ${text}\n` } : null;
}

function oneLine(text: string): string {
  return text.trim().split("\n")[0] ?? "";
}

/** The line above the output of each step. */
export function heading(step: string, remark = ""): string {
  const title = remark === "" ? step : `${step} (${remark})`;
  return `── ${title} ${"─".repeat(Math.max(3, 60 - title.length))}\n`;
}
