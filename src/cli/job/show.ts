/** `oj job show`: one job, step by step, with what it waits for and what to type next. */
import type { CrewView, JobView, RunView } from "../../api/api.ts";
import { isCrewView } from "../../api/api.ts";
import type { Context } from "../base/command.ts";
import { defineCommand } from "../base/command.ts";
import { logSoFar } from "../owner/log-stream.ts";
import type { Surroundings } from "../owner/timeline.ts";
import { jobLines } from "../owner/timeline.ts";

/** Lines of output shown with a failure. */
const TAIL = 8;

export const command = defineCommand({
  name: "job show",
  summary: "Show a job step by step, and what it is waiting for",
  args: "ID",
  flags: {},
  completes: "job",
  examples: [
    {
      run: "oj job show job-7k3m",
      does: "its steps, the end of the output if one failed, and what to type next",
    },
    { run: "oj job show job-7k3m -o json | jq -r .status", does: "one word for a script" },
  ],

  run: (context, [id = ""]) => showRun(context, id),
});

/** Shared with `oj crew show`. */
export async function showRun(context: Context, id: string): Promise<void> {
  const { client, json, out } = context;
  const job = await client.job(id);
  if (json) return out.json(job);
  const lines = isCrewView(job)
    ? await crewLines(job, context)
    : jobLines(job, await surroundingsOf(job, context), context);
  for (const line of lines) out.print(line);
  // whoever reads this knows that it failed; if that can't be noted, it is shown in the inbox once more
  if (job.status === "failed") await client.seeFailure(job.id, { how: "opened" }).catch(() => {});
}

async function crewLines(crew: CrewView, context: Context): Promise<string[]> {
  const { linesOf } = await import("../owner/crew-lines.ts");
  const { client } = context;
  const { pending_decision: asked } = crew;
  const [decision, agent, tail] = await Promise.all([
    asked ? client.decision(asked).catch(() => null) : null,
    client.agent(crew.agent_id).catch(() => null),
    crew.error === null ? "" : tailOf(crew, context),
  ]);
  return linesOf(crew, { decision, agent, tail }, context);
}

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
    children: children.filter((it) => it !== null && !isCrewView(it)) as JobView[],
    tail,
  };
}

async function tailOf(job: RunView, context: Context): Promise<string> {
  let text = "";
  for await (const part of logSoFar(context, { id: job.id, tail: TAIL })) text += part;
  return text;
}
