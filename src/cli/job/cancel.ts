/** `oj job cancel`: ends jobs and whatever they run; each has its own result. */
import type { ErrorBody, RunView } from "../../api/api.ts";
import { isCrewView } from "../../api/api.ts";
import { Refusal } from "../../core/model/errors.ts";
import { safeLine } from "../../text/safe.ts";
import type { Context } from "../base/command.ts";
import { defineCommand } from "../base/command.ts";
import { refusalBody, refusalText } from "../base/fail.ts";
import { markOf } from "../owner/marks.ts";

type Result = { id: string; job: RunView } | { id: string; error: ErrorBody["error"] };

export const command = defineCommand({
  name: "job cancel",
  summary: "Cancel jobs and stop whatever they run",
  args: "ID…",
  flags: {
    reason: { type: "string", value: "TEXT", help: "the reason, kept with the job" },
    now: { type: "boolean", help: "also stop an on_cancel step that is already running" },
  },
  completes: "job",
  examples: [
    { run: "oj job cancel job-7k3m", does: "stops its processes, then runs its on_cancel step" },
    {
      run: "oj job cancel job-7k3m job-9x2p --reason 'wrong branch'",
      does: "several; each has its own result",
    },
  ],

  run: (context, ids, { reason, now }) =>
    cancelRuns(context, ids, { reason: reason ?? null, now: now ?? false }),
});

/** Shared with `oj crew cancel`. */
export async function cancelRuns(
  { client, json, out }: Context,
  ids: readonly string[],
  how: { reason: string | null; now?: boolean },
): Promise<number> {
  const results: Result[] = [];
  for (const id of ids) {
    try {
      const job = await client.cancelJob(id, how);
      results.push({ id: job.id, job });
      if (!json) out.print(`${markOf("cancelled", out.style)} ${cancelled(job)}`);
      if (!json && !isCrewView(job) && job.cancelling?.tidying)
        out.say(`  ${out.style.cyan("→")} oj job cancel ${job.id} --now    (stops that too)`);
    } catch (error) {
      if (!(error instanceof Refusal) || !/^(job|crew)\./.test(error.code)) throw error;
      results.push({ id, ...refusalBody(error) });
      if (!json) out.say(refusalText(error, out.style));
    }
  }
  if (json) out.json(results);
  return results.some((it) => "error" in it) ? 1 : 0;
}

/** What will happen now. */
function cancelled(job: RunView): string {
  if (isCrewView(job)) return `${job.id} is cancelled, and its terminal closes`;
  const { id, cancelling } = job;
  if (job.status === "cancelled") return `${id} is cancelled`;
  const name = safeLine(job.step ?? "");
  if (cancelling?.tidying) return `${id} will be cancelled once its on_cancel step ${name} is done`;
  const child = job.steps.find((it) => it.name === job.step)?.child_id;
  if (child) return `${id} is being cancelled, after ${child}, which ${name} is waiting for`;
  return `${id} is being cancelled: what ${name} runs is being stopped`;
}
