/** `oj job resume`: a suspended job, a failed one, one whose question was dismissed, or one that is blocked, goes on. */
import { isCrewView } from "../../api-crews.ts";
import type { Context } from "../command.ts";
import { command } from "../command.ts";
import { kindOf } from "../crew/id.ts";
import { safeLine } from "../safe.ts";
import { blockedWords } from "./blocked.ts";

export const it = command({
  name: "job resume",
  summary: "Let a suspended, failed, dismissed or blocked job go on",
  args: "ID",
  flags: {
    message: {
      type: "string",
      short: "m",
      value: "TEXT",
      help: "free text, usable in later steps as ${job.message}",
    },
  },
  completes: "job",
  examples: [
    {
      run: "oj job resume job-7k3m",
      does: "goes on where it stopped; a failed job repeats the step that failed",
    },
    { run: 'oj job resume job-7k3m -m "the server is back"', does: "the same, and says why" },
  ],

  run: (context, [id = ""], { message }) => resumeRun(context, id, message ?? null),
});

/** Of `oj crew resume` too. */
export async function resumeRun(
  { client, json, out }: Context,
  id: string,
  message: string | null,
): Promise<void> {
  const job = await client.resumeJob(id, { message });
  if (json) return out.json(job);
  const blocked = isCrewView(job) ? "" : blockedWords(job);
  if (blocked !== "") {
    out.print(`${job.id} ${blocked}`);
    return out.say(`  → without the answer: oj job resume ${job.id}`);
  }
  if (job.status === "waiting" && job.pending_decision) {
    const later = message === null ? "" : "; it hears your words after that";
    out.print(`${job.id} waits for an answer to ${job.pending_decision}${later}`);
    return out.say(`  → oj decision show ${job.pending_decision}`);
  }
  out.print(`${job.id} goes on${job.step ? ` at ${safeLine(job.step)}` : ""}`);
  out.say(`  → oj ${kindOf(job.id)} logs ${job.id} -f`);
}
