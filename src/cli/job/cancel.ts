/** `oj job cancel`: ends jobs and whatever they run; each has its own result. */
import type { ErrorBody } from "../../api.ts";
import type { RunView } from "../../api-crews.ts";
import { isCrewView } from "../../api-crews.ts";
import { Refusal } from "../../core/errors.ts";
import type { Context } from "../command.ts";
import { command } from "../command.ts";
import { refusalBody, refusalText } from "../fail.ts";
import { safeLine } from "../safe.ts";
import { markOf } from "./marks.ts";

type Result = { id: string; job: RunView } | { id: string; error: ErrorBody["error"] };

export const it = command({
  name: "job cancel",
  summary: "End jobs and whatever they run",
  args: "ID…",
  flags: { reason: { type: "string", value: "TEXT", help: "why; it is kept with the job" } },
  completes: "job",
  examples: [
    { run: "oj job cancel job-7k3m", does: "ends its processes, then runs its on_cancel step" },
    {
      run: "oj job cancel job-7k3m job-9x2p --reason 'wrong branch'",
      does: "several; each has its own result",
    },
  ],

  run: (context, ids, { reason }) => cancelRuns(context, ids, reason ?? null),
});

/** Of `oj crew cancel` too. */
export async function cancelRuns(
  { client, json, out }: Context,
  ids: readonly string[],
  reason: string | null,
): Promise<number> {
  const results: Result[] = [];
  for (const id of ids) {
    try {
      const job = await client.cancelJob(id, { reason });
      results.push({ id: job.id, job });
      if (!json) out.print(`${markOf("cancelled", out.style)} ${cancelled(job)}`);
    } catch (error) {
      if (!(error instanceof Refusal) || !/^(job|crew)\./.test(error.code)) throw error;
      results.push({ id, ...refusalBody(error) });
      if (!json) out.say(refusalText(error, out.style));
    }
  }
  if (json) out.json(results);
  return results.some((it) => "error" in it) ? 1 : 0;
}

function cancelled(job: RunView): string {
  if (isCrewView(job)) return `${job.id} is cancelled, and its session ends`;
  if (job.status === "cancelled") return `${job.id} is cancelled`;
  const step = safeLine(job.step ?? "it");
  const running = job.steps.some((it) => it.name === job.step && it.status === "running");
  return `${job.id} is being cancelled: ${running ? `what ${step} runs is being stopped` : `${step} runs first`}`;
}
