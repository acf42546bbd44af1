/** A rule's scratch paper: the facts so far, and the jobs as they will be once those facts are folded. */
import type { Fact } from "./events.ts";
import { foldJob, newJob } from "./fold-job.ts";
import type { JobId, Moment } from "./ids.ts";
import type { Job } from "./job-types.ts";
import type { State } from "./state.ts";

export interface Draft {
  readonly facts: Fact[];
  readonly moment: Moment;
  readonly state: Readonly<State>;
  /** The job after the facts so far. */
  job(id: JobId): Job;
  emit(fact: Fact): void;
}

export function draftOn(state: Readonly<State>, moment: Moment): Draft {
  const jobs = new Map<JobId, Job>();
  const facts: Fact[] = [];

  function job(id: JobId): Job {
    let found = jobs.get(id);
    if (!found) {
      const original = state.jobs.get(id);
      if (!original) throw new Error(`no job ${id}`);
      found = copyJob(original);
      jobs.set(id, found);
    }
    return found;
  }

  function emit(fact: Fact): void {
    facts.push(fact);
    const event = { seq: 0, at_ms: moment.at_ms, ...fact };
    if (event.type === "job:created") jobs.set(event.id, newJob(event));
    else if (event.type.startsWith("job:")) foldJob(job((event as { id: JobId }).id), event);
    else if (event.type.startsWith("step:")) foldJob(job((event as { job_id: JobId }).job_id), event);
  }

  return { facts, moment, state, job, emit };
}

/** Copies what facts change; the definition is shared, as nothing ever changes it. */
function copyJob(job: Job): Job {
  return { ...job, routes: { ...job.routes }, steps: job.steps.map((it) => ({ ...it })) };
}
