/** What the end of jobs and crews means, to a shell and in words. */
import type { RunView } from "../../api/api.ts";
import type { JobStatus } from "../../core/model/job-types.ts";
import { safeLine } from "../../text/safe.ts";
import type { Context } from "../base/command.ts";
import { kindOf } from "./id.ts";
import { markOf, roughDuration } from "./marks.ts";

/** 0 completed, 1 failed, 4 cancelled. Of several, the worst: a failure over a cancellation. */
export function exitCodeOf(jobs: readonly { status: JobStatus }[]): number {
  if (jobs.some((it) => it.status === "failed")) return 1;
  if (jobs.some((it) => it.status === "cancelled")) return 4;
  return 0;
}

/** How a job or crew ended, in a line or two. */
export function endLine(job: RunView, { out }: Pick<Context, "out">): string {
  const took =
    job.finished_at_ms === null ? "" : ` after ${roughDuration(job.finished_at_ms - job.created_at_ms)}`;
  const line = `${markOf(job.status, out.style)} ${job.id} ${safeLine(job.name)} ${job.status}${took}`;
  const why = job.status === "cancelled" ? job.reason : job.error;
  if (why === null) return line;
  const where = job.failed_step ? ` at ${safeLine(job.failed_step)}` : "";
  const hint = job.status === "failed" ? `\n  → oj ${kindOf(job.id)} logs ${job.id}` : "";
  return `${line}${where}: ${firstLine(why)}${hint}`;
}

function firstLine(text: string): string {
  return safeLine(text.trim().split("\n")[0] ?? "");
}
