/** `oj job wait`: returns when jobs have ended; the exit code says how. */
import type { RunView } from "../../api/api.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { Context, Flags, Given } from "../base/command.ts";
import { defineCommand } from "../base/command.ts";
import type { Deadline } from "../base/deadline.ts";
import { deadlineOf, isOver, timeLeft } from "../base/deadline.ts";
import { patiently } from "../base/patience.ts";
import { tooLate } from "../owner/follow.ts";
import { endLine, exitCodeOf } from "../owner/outcome.ts";

/** The daemon's clock and ours may differ by as much as a call takes. */
const SLACK_MS = 1000;

export const waitFlags = {
  timeout: { type: "string", value: "D", help: "give up after 30s, 5m, 1h30m: exit 5" },
  all: {
    type: "boolean",
    help: "wait for all of them, not just the first; the worst exit code counts",
  },
} as const satisfies Flags;

export const command = defineCommand({
  name: "job wait",
  summary: "Wait for jobs to end; the exit code says how",
  args: "ID…",
  flags: waitFlags,
  completes: "job",
  examples: [
    {
      run: "oj job wait job-7k3m && make release",
      does: "exit codes: 0 completed, 1 failed, 4 cancelled, 5 timeout",
    },
    { run: "oj job wait job-7k3m job-9x2p --all --timeout 1h", does: "both, within an hour" },
  ],

  run: (context, ids, flags) => waitForRuns(context, ids, flags),
});

/** Shared with `oj crew wait`. */
export async function waitForRuns(
  context: Context,
  ids: string[],
  { timeout, all = false }: Given<typeof waitFlags>,
): Promise<number> {
  const { json, out } = context;
  const jobs = await ended(context, ids, all, deadlineOf(timeout));
  if (json) out.json(jobs);
  else for (const job of jobs) out.print(endLine(job, context));
  return exitCodeOf(jobs);
}

async function ended(context: Context, ids: string[], all: boolean, deadline: Deadline): Promise<RunView[]> {
  for (;;) {
    try {
      return await patiently(context, deadline, () => {
        const limit = deadline ? { timeout_ms: timeLeft(deadline) } : {};
        return context.client.waitJobs({ ids, all, ...limit });
      });
    } catch (error) {
      if (context.abort.aborted) throw error;
      // One call may wait shorter than was asked for: see `timeLeft`.
      const isLate = error instanceof Refusal && error.code === "timeout";
      if (isOver(deadline, isLate ? SLACK_MS : 0)) throw tooLate(ids.join(", "), deadline);
      if (!isLate) throw error;
    }
  }
}
