/** `oj job list`: every job, newest first, with what it waits for. */
import type { DecisionView, RunView } from "../../api/api.ts";
import { isCrewView } from "../../api/api.ts";
import { JOB_STATUSES } from "../../core/model/job-types.ts";
import { shortAge } from "../../core/text/words.ts";
import { blockedWords } from "../../inbox/fleet/blocked.ts";
import { table, tableWidth, truncate } from "../../text/layout.ts";
import { safeLine } from "../../text/safe.ts";
import type { Context } from "../base/command.ts";
import { defineCommand } from "../base/command.ts";
import { chosenProject, oneOf, projectFlag } from "../base/values.ts";
import { kindOf } from "../owner/id.ts";
import { statusText } from "../owner/marks.ts";

export const command = defineCommand({
  name: "job list",
  summary: "List jobs, newest first",
  args: "",
  flags: {
    status: { type: "string", value: "STATUS", help: `only ${JOB_STATUSES.join(", ")}` },
    ...projectFlag,
  },
  examples: [
    { run: "oj job list", does: "each with its status, step, age and what it is waiting for" },
    { run: "oj job list --status waiting", does: "the ones that need you" },
    { run: "oj job list -o json | jq -r '.[].id'", does: "their ids" },
  ],

  async run(context, _, flags) {
    const { client, json, out } = context;
    const status = oneOf("--status", flags.status, JOB_STATUSES);
    const jobs = await client.jobs({
      ...(status ? { status } : {}),
      ...chosenProject(context, flags.project),
    });
    if (json) return out.json(jobs);
    if (jobs.length === 0) {
      out.print(status ? `no jobs are ${status}` : "there are no jobs");
      return out.say("  → oj run");
    }
    const pending = jobs.some((it) => it.pending_decision) ? await client.decisions() : [];
    for (const line of listLines(jobs, pending, context)) out.print(line);
  },
});

const LONGEST_NAME = 28;

/** Jobs, or crews: those have an agent where a job has a step. */
export function listLines(
  jobs: readonly RunView[],
  pending: DecisionView[],
  { out, now }: Context,
  [what, where]: readonly ["JOB", "STEP"] | readonly ["CREW", "AGENT"] = ["JOB", "STEP"],
): string[] {
  const hasProjects = new Set(jobs.map((it) => it.project)).size > 1;
  const head = [what, ...(hasProjects ? ["PROJECT"] : []), "NAME", "STATUS", where, "AGE", "WAITING FOR"];
  const rows = jobs.map((job) => [
    job.id,
    ...(hasProjects ? [safeLine(job.project)] : []),
    truncate(safeLine(job.name), LONGEST_NAME),
    job.status,
    isCrewView(job) ? job.agent_id : job.finished_at_ms === null ? safeLine(job.step ?? "") : "",
    shortAge(now() - job.created_at_ms),
    waitsFor(job, pending),
  ]);
  const status = head.indexOf("STATUS");
  const paint = (cell: string, row: number, column: number) => {
    const job = jobs[row - 1];
    if (!job) return out.style.dim(cell);
    return column === status ? cell.replace(job.status, statusText(job.status, out.style)) : cell;
  };
  return table([head, ...rows], { width: tableWidth(out), paint });
}

function waitsFor(job: RunView, pending: DecisionView[]): string {
  const blocked = isCrewView(job) ? "" : blockedWords(job);
  if (blocked !== "") return blocked;
  if (job.pending_decision) {
    const title = pending.find((it) => it.id === job.pending_decision)?.title ?? "";
    return `${job.pending_decision} ${safeLine(title)}`.trimEnd();
  }
  const step = job.steps.find((it) => it.name === job.step);
  if (step?.status === "waiting" && step.child_id) return step.child_id;
  if (job.status === "suspended" || job.status === "waiting") return `oj ${kindOf(job.id)} resume ${job.id}`;
  return "";
}
