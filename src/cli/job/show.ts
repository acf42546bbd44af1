/** `oj job show`: one job, step by step, with what it waits for and what to type next. */
import type { JobView } from "../../api.ts";
import type { Context } from "../command.ts";
import { command } from "../command.ts";
import { logSoFar } from "./log-stream.ts";
import type { Surroundings } from "./timeline.ts";
import { jobLines } from "./timeline.ts";

/** Lines of output shown with a failure. */
const TAIL = 8;

export const it = command({
  name: "job show",
  summary: "Show a job step by step, and what it waits for",
  args: "ID",
  flags: {},
  completes: "job",
  examples: [
    {
      run: "oj job show job-7k3m",
      does: "its steps, the end of its output if one failed, and what to type next",
    },
    { run: "oj job show job-7k3m -o json | jq -r .status", does: "one word for a script" },
  ],

  async run(context, [id = ""]) {
    const { client, json, out } = context;
    const job = await client.job(id);
    if (json) return out.json(job);
    for (const line of jobLines(job, await surroundingsOf(job, context), context)) out.print(line);
  },
});

async function surroundingsOf(job: JobView, context: Context): Promise<Surroundings> {
  const { client } = context;
  const asked = [...job.steps.map((it) => it.decision_id), job.pending_decision];
  const decisionIds = [...new Set(asked.filter((it) => it !== null))];
  const childIds = job.steps.flatMap((it) => (it.child_id ? [it.child_id] : []));
  const [decisions, children, tail] = await Promise.all([
    Promise.all(decisionIds.map((it) => client.decision(it).catch(() => null))),
    Promise.all(childIds.map((it) => client.job(it).catch(() => null))),
    job.error === null ? "" : tailOf(job, context),
  ]);
  return {
    decisions: decisions.filter((it) => it !== null),
    children: children.filter((it) => it !== null),
    tail,
  };
}

async function tailOf(job: JobView, context: Context): Promise<string> {
  let text = "";
  for await (const part of logSoFar(context, { id: job.id, tail: TAIL })) text += part;
  return text;
}
