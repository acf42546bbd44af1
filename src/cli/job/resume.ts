/** `oj job resume`: continues a suspended or failed job, one whose question was dismissed, or one that is blocked. */
import { isCrewView } from "../../api/api.ts";
import { blockedWords, blockersOf } from "../../inbox/fleet/blocked.ts";
import { safeLine } from "../../text/safe.ts";
import type { Context } from "../base/command.ts";
import { defineCommand } from "../base/command.ts";
import { kindOf } from "../owner/id.ts";

export const command = defineCommand({
  name: "job resume",
  summary: "Resume a suspended, failed, dismissed or blocked job",
  args: "ID",
  flags: {
    message: {
      type: "string",
      short: "m",
      value: "TEXT",
      help: "a message, available to later steps as ${job.message}",
    },
  },
  completes: "job",
  examples: [
    {
      run: "oj job resume job-7k3m",
      does: "continues where it stopped; a failed job repeats the step that failed",
    },
    { run: 'oj job resume job-7k3m -m "the server is back"', does: "the same, with a message" },
  ],

  run: (context, [id = ""], { message }) => resumeRun(context, id, message ?? null),
});

/** Shared with `oj crew resume`. */
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
    if (!isCrewView(job) && blockersOf(job).some((it) => it.ruled)) return;
    return out.say(`  → without the answer: oj job resume ${job.id}`);
  }
  if (job.status === "waiting" && job.pending_decision) {
    const later = message === null ? "" : "; it gets your message after that";
    out.print(`${job.id} is waiting for an answer to ${job.pending_decision}${later}`);
    return out.say(`  → oj decision show ${job.pending_decision}`);
  }
  out.print(`${job.id} continues${job.step ? ` at ${safeLine(job.step)}` : ""}`);
  out.say(`  → oj ${kindOf(job.id)} logs ${job.id} -f`);
}
