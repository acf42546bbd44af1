/**
 * Whose work a job's scripts may run: that of the agents that worked for the job, or for another job of the same run.
 */
import type { Agent } from "../model/agent-types.ts";
import type { JobId } from "../model/ids.ts";
import type { State } from "../model/state/state.ts";

/** The last agent that was started for the job, or for another job of the same run. Null: no agent has worked on it. */
export function agentBehind(state: Readonly<State>, job_id: JobId): Agent | null {
  const origin = state.jobs.get(job_id)?.origin;
  if (origin === undefined) return null;
  return (
    [...state.agents.values()].findLast(
      ({ owner }) => owner.kind === "job" && state.jobs.get(owner.id)?.origin === origin,
    ) ?? null
  );
}
