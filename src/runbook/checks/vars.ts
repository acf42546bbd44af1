/** Checks that whatever starts a job gives it every var that it needs: without one, no run would ever begin. */

import type { Command, JobDef, StepDef } from "../../core/model/runbook.ts";
import type { Declared, DeclaredJob } from "../build/build-job.ts";
import { meant } from "../build/fields.ts";
import type { Project } from "../build/project.ts";
import type { Report } from "../hcl/source.ts";
import type { Block, Entry } from "../hcl/syntax.ts";
import { entriesOf, placeIn, valueIn } from "../hcl/syntax.ts";

export function checkVars(project: Project): void {
  for (const { commands, jobs, report, warn } of project.files) {
    for (const command of commands) checkCommand(project, command, report);
    for (const job of jobs)
      job.def.steps.forEach((step, index) => {
        const block = job.steps[index];
        if (block) checkStep(project, job, step, block, report);
        if (block) checkEnv(step, block, warn);
      });
  }
}

function checkCommand({ jobs }: Project, { def, block }: Declared<Command>, report: Report): void {
  const job = def.run.type === "job" ? jobs.get(def.run.job) : undefined;
  if (!job || block.broken || !isReadable(block, "args", "string")) return;
  const given = def.args.map((it) => it.name);
  const lacks = lacking(job, given);
  if (lacks === null) return;
  report(
    placeIn(block, "run", "job"),
    `${lacks}, which this command doesn't give`,
    "add it to args, or give it a default in the job",
  );
}

function checkStep(
  { jobs }: Project,
  parent: DeclaredJob,
  { run }: StepDef,
  block: Block,
  report: Report,
): void {
  const job = run.type === "job" ? jobs.get(run.job) : undefined;
  if (!job || block.broken || parent.block.broken || !isReadable(parent.block, "vars", "list")) return;
  const vars = entriesOf(block, "run").find((it) => it.key === "vars")?.value;
  if (vars && vars.type !== "object") return;
  const lacks = lacking(job, [...parent.def.vars, ...written(vars?.entries ?? [], job.def)]);
  if (lacks === null) return;
  report(
    placeIn(block, "run", "job"),
    `${lacks}, which this step doesn't give`,
    `write run = { job = "${job.def.kind}", vars = { … } }, or give it a default there`,
  );
}

/** The environment of a job is that of whoever called `oj run`, also if another job runs it. */
function checkEnv({ name, run }: StepDef, block: Block, warn: Report): void {
  const [first] = run.type === "job" ? entriesOf(block, "env") : [];
  if (!first || run.type !== "job") return;
  warn(
    first.at,
    `env of step "${name}" has no effect: it runs a job, which gets vars instead`,
    `write run = { job = "${run.job}", vars = { … } }`,
  );
}

/** What the job needs and isn't given; null if that is nothing, or its own vars could not be read. */
function lacking({ def, block }: DeclaredJob, given: readonly string[]): string | null {
  if (block.broken || !isReadable(block, "defaults", "object")) return null;
  const has = new Set([...given, ...written(entriesOf(block, "defaults"), def)]);
  const names = def.vars.filter((it) => !has.has(it)).map((it) => `"${it}"`);
  return names.length === 0 ? null : `job "${def.kind}" needs ${names.join(" and ")}`;
}

/** The vars that somebody wrote a value for; a misspelled one is reported as such. */
function written(entries: readonly Entry[], { vars }: JobDef): string[] {
  return entries.map((it) => meant(it.key, [...vars]));
}

/** False if it is there and is not what it has to be, which was reported already. */
function isReadable(block: Block, name: string, type: "string" | "list" | "object"): boolean {
  const value = valueIn(block, name);
  return value === undefined || value.type === type;
}
