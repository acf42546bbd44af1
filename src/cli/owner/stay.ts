/** Stays with a job or crew that was just started, reports what happens, and ends with its exit code. */
import type { Event } from "../../core/model/events.ts";
import type { Context } from "../base/command.ts";
import type { Deadline } from "../base/deadline.ts";
import { talkStyle } from "../base/output.ts";
import { followJob } from "./follow.ts";
import { kindOf } from "./id.ts";
import { followLog } from "./log-stream.ts";
import { endLine, exitCodeOf } from "./outcome.ts";
import { progress } from "./progress.ts";
import { safely } from "./safe-log.ts";

export interface Staying {
  id: string;
  /** The number of the last event before the job. */
  after: number;
  deadline: Deadline;
  /** Show its output. */
  attach: boolean;
}

/** What its output doesn't say. */
const BESIDE_OUTPUT: readonly Event["type"][] = [
  "decision:created",
  "step:waiting",
  "crew:waiting",
  "crew:resumed",
  "job:suspended",
  "job:resumed",
  "effect:failed",
];

export async function stay(context: Context, { id, after, deadline, attach }: Staying): Promise<number> {
  const { client, json, out, config } = context;
  if (json || attach) out.say(out.style.dim(id));
  else out.print(id); // as without --wait: scripts read it from the first line
  const lines = progress(talkStyle(config.noColor));
  const onEvent = (event: Event) => {
    if (attach && !BESIDE_OUTPUT.includes(event.type)) return;
    for (const line of lines(event)) out.say(line);
  };
  const ending = followJob(context, { id, after, deadline, onEvent });
  const [job] = await Promise.all([ending, attach ? showLog(context, id) : undefined]).catch((error) => {
    if (context.abort.aborted)
      out.say(`\n${id} keeps running without you\n  ${out.style.cyan("→")} oj ${kindOf(id)} wait ${id}`);
    throw error;
  });
  if (job.status === "failed") await client.seeFailure(id, { how: "waited" }).catch(() => {});
  if (json) out.json(kindOf(id) === "crew" ? { crew_id: id, crew: job } : { job_id: id, job });
  else out.print(endLine(job, context));
  return exitCodeOf([job]);
}

async function showLog(context: Context, id: string): Promise<void> {
  const show = safely(context.out.print);
  await followLog(context, { id, tail: null }, show.text);
  show.end();
}
