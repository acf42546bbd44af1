/** Recognises calls from a step of a job: which step it is, and whose work it may be running. */
import { agentBehind } from "../../core/agent/behind.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { AgentId, JobId, RunId } from "../../core/model/ids.ts";
import { stepOf } from "../../core/model/job-types.ts";
import type { State } from "../../core/model/state/state.ts";

export interface StepCaller {
  job_id: JobId;
  run_id: RunId;
  /** The step, while this run of it is in progress. */
  step: string | null;
  /** An agent that has worked for this job: the step may run its work. */
  agent_id: AgentId | null;
}

/** Reads the header, `job/run`. Null if there is no such job: it belongs to another daemon, or is long gone. */
export function stepCallerOf(state: Readonly<State>, header: string | undefined): StepCaller | null {
  const [, job_id, run_id] = /^(job-[a-z0-9]+)\/(run-[a-z0-9]+)$/.exec(header ?? "") ?? [];
  const job = state.jobs.get(job_id as JobId);
  if (!job || run_id === undefined) return null;
  const isCurrent = job.step !== null && stepOf(job, job.step).run_id === run_id;
  return {
    job_id: job.id,
    run_id: run_id as RunId,
    step: isCurrent ? job.step : null,
    agent_id: agentBehind(state, job.id)?.id ?? null,
  };
}

/** Only people answer. Code that an agent wrote does not, whoever runs it. */
export function refuseAgentsWork({ job_id, agent_id }: StepCaller): void {
  if (agent_id === null) return;
  throw new Refusal(
    "request.forbidden",
    `a step of ${job_id} may not do this: agent ${agent_id} worked for that job, and agents ask, people answer`,
    "do it in your own shell",
  );
}
