/** `oj job resume`: a suspended job, a failed one, one whose question was dismissed, or one that is blocked, goes on. */
import { command } from "../command.ts";
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

  async run({ client, json, out }, [id = ""], { message }) {
    const job = await client.resumeJob(id, { message: message ?? null });
    if (json) return out.json(job);
    const blocked = blockedWords(job);
    if (blocked !== "") {
      out.print(`${job.id} ${blocked}`);
      return out.say(`  → without the answer: oj job resume ${job.id}`);
    }
    out.print(`${job.id} goes on${job.step ? ` at ${safeLine(job.step)}` : ""}`);
    out.say(`  → oj job logs ${job.id} -f`);
  },
});
