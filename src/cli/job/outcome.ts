/** What the end of jobs and crews means to a shell. */
import type { JobStatus } from "../../core/job-types.ts";

/** 0 completed, 1 failed, 4 cancelled. Of several, the worst: a failure over a cancellation. */
export function exitCodeOf(jobs: readonly { status: JobStatus }[]): number {
  if (jobs.some((it) => it.status === "failed")) return 1;
  if (jobs.some((it) => it.status === "cancelled")) return 4;
  return 0;
}
