/** How the states of jobs and steps look: a mark, a colour, a duration. */

import type { JobStatus, StepStatus } from "../../core/model/job-types.ts";
import { formatDuration } from "../../core/text/duration.ts";
import type { Style } from "../../text/style.ts";

type Status = JobStatus | StepStatus;

const MARKS: Record<Status, string> = {
  pending: "·",
  running: "…",
  waiting: "⏸",
  suspended: "⏸",
  completed: "✓",
  failed: "✗",
  skipped: "–",
  cancelled: "–",
};

export function markOf(status: Status, style: Style): string {
  return colour(status, style)(MARKS[status]);
}

export function statusText(status: Status, style: Style): string {
  return colour(status, style)(status);
}

function colour(status: Status, style: Style): (text: string) => string {
  switch (status) {
    case "completed":
      return style.green;
    case "failed":
      return style.red;
    case "waiting":
    case "suspended":
      return style.yellow;
    case "running":
      return style.cyan;
    default:
      return style.dim;
  }
}

/** As exact as a person cares to know: "40ms", "0.4s", "12s", "3m5s", "2h10m". */
export function roughDuration(ms: number): string {
  if (ms < 100) return `${Math.max(0, Math.round(ms))}ms`;
  if (ms < 9950) return `${(ms / 1000).toFixed(1)}s`;
  if (ms < 3_600_000) return formatDuration(Math.round(ms / 1000) * 1000);
  return formatDuration(Math.round(ms / 60_000) * 60_000);
}
