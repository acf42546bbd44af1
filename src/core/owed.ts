/** What was promised and not yet done. After a commit for the jobs it touched, after a crash for all of them. */
import type { Effect } from "./effects.ts";
import type { Event } from "./events.ts";
import type { JobId } from "./ids.ts";
import type { Job } from "./job-types.ts";
import { hasEnded, stepOf } from "./job-types.ts";
import { shellRunOf } from "./shell-run.ts";
import type { State } from "./state.ts";

/** Every chore that is due in this state, whether or not somebody has begun it. */
export function owed(state: Readonly<State>): Effect[] {
  const effects: Effect[] = [];
  for (const id of state.active) {
    const job = state.jobs.get(id);
    if (job) effects.push(...owedBy(job));
  }
  for (const trash of state.trash.values()) effects.push({ type: "purge-job", ...trash });
  return effects;
}

/**
 * The chores that follow from these events: what is owed by whatever they touched. Jobs in `except` are left out:
 * facts about them are folded but not yet on disk, and a chore must never run ahead of its fact.
 */
export function effectsOf(
  state: Readonly<State>,
  events: readonly Event[],
  except: ReadonlySet<JobId>,
): Effect[] {
  const effects: Effect[] = [];
  for (const id of touched(events)) {
    if (except.has(id)) continue;
    const job = state.jobs.get(id);
    if (job) effects.push(...owedBy(job));
    const trash = state.trash.get(id);
    if (trash) effects.push({ type: "purge-job", ...trash });
  }
  return effects;
}

/** The jobs that these events say something about. */
export function touched(events: readonly Event[]): Set<JobId> {
  const ids = new Set<JobId>();
  for (const event of events) {
    if (event.type.startsWith("job:")) ids.add((event as { id: JobId }).id);
    else if (event.type.startsWith("step:")) ids.add((event as { job_id: JobId }).job_id);
  }
  return ids;
}

function owedBy(job: Job): Effect[] {
  const { id: job_id, project, root } = job;
  if (hasEnded(job)) {
    const { workspace, status } = job;
    return workspace && status !== "failed" ? [{ type: "remove-workspace", job_id, project, workspace }] : [];
  }
  if (!job.prepared && job.def.workspace) {
    return [{ type: "make-workspace", job_id, project, root, workspace: job.def.workspace }];
  }
  if (job.step === null) return [];
  const step = stepOf(job, job.step);
  if (step.status !== "running" || step.run_id === null) return [];
  if (job.cancelling) return [{ type: "stop-shell", job_id, project, run_id: step.run_id }];
  const run = shellRunOf(job);
  return run ? [{ type: "run-shell", ...run }] : [];
}
