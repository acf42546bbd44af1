/** `oj job suspend`: the step under way ends, and no further one begins. */

import { safeLine } from "../../text/safe.ts";
import { defineCommand } from "../base/command.ts";

export const command = defineCommand({
  name: "job suspend",
  summary: "Start no further steps until the job is resumed",
  args: "ID",
  flags: {},
  completes: "job",
  examples: [{ run: "oj job suspend job-7k3m", does: "the running step finishes, then the job pauses" }],

  async run({ client, json, out }, [id = ""]) {
    const job = await client.suspendJob(id);
    if (json) return out.json(job);
    const step = job.steps.find((it) => it.name === job.step && it.status === "running");
    out.print(`${job.id} is suspended${step ? `; ${safeLine(step.name)} still runs to completion` : ""}`);
    out.say(`  → oj job resume ${job.id}`);
  },
});
