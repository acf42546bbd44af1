/**
 * Checks that every job, agent, template, step and variable that a runbook names exists, and that no name is used
 * twice.
 */

import type { Command, DecisionDef, JobDef, StepDef, Template } from "../../core/model/runbook.ts";
import type { Declared, DeclaredJob } from "../build/build-job.ts";
import type { Project } from "../build/project.ts";
import { insteadOf } from "../build/shape.ts";
import type { Report, Span } from "../hcl/source.ts";
import type { Block } from "../hcl/syntax.ts";
import { blocksIn, entriesOf, nameAt, placeIn, valueIn } from "../hcl/syntax.ts";

export function checkNames(project: Project): void {
  checkDuplicates(project);
  for (const { commands, jobs, templates, report } of project.files) {
    for (const { def, block } of templates) checkSuccessors(project, def, block, report);
    for (const command of commands) checkCommand(project, command, report);
    for (const job of jobs) checkJob(project, job, report);
  }
}

function checkDuplicates({ files }: Project): void {
  for (const kind of ["commands", "jobs", "agents", "templates", "escalations", "policies"] as const) {
    const first = new Map<string, string>();
    for (const { report, [kind]: declared } of files) {
      for (const { def, block } of declared) {
        const name = "steps" in def ? def.kind : def.name;
        const other = first.get(name);
        if (other !== undefined)
          report(nameAt(block), `${block.kind} "${name}" is declared twice`, `first in ${other}`);
        else first.set(name, `${def.path}:${def.line}`);
      }
    }
  }
  const [first, ...others] = files.flatMap((it) => it.requests.map((one) => ({ ...one, report: it.report })));
  for (const { block, report } of others)
    report(
      block.at,
      "a project can have only one requests block",
      `the first is in ${first?.def.path}:${first?.def.line}`,
    );
}

function checkCommand({ jobs, agents }: Project, { def, block }: Declared<Command>, report: Report): void {
  const { run } = def;
  if (run.type === "job") mustExist(report, placeIn(block, "run", "job"), "job", run.job, jobs);
  if (run.type === "agent") mustExist(report, placeIn(block, "run", "agent"), "agent", run.agent, agents);
  const args = new Set(def.args.map((it) => it.name));
  if (!block.broken) checkDefaults(block, args, "argument", report);
}

function checkJob(project: Project, job: DeclaredJob, report: Report): void {
  const { def, block, steps } = job;
  if (!block.broken) checkDefaults(block, new Set(def.vars), "var", report);
  checkRoutes(job, def, block, report);
  def.steps.forEach((step, index) => {
    const inside = steps[index];
    if (!inside) return;
    checkRoutes(job, step, inside, report);
    checkDependencies(job, step.name, inside, report);
    checkRun(project, job, step, inside, report);
  });
}

function checkRun(project: Project, job: DeclaredJob, { run }: StepDef, block: Block, report: Report): void {
  if (run.type === "agent")
    mustExist(report, placeIn(block, "run", "agent"), "agent", run.agent, project.agents);
  if (run.type === "job") {
    mustExist(report, placeIn(block, "run", "job"), "job", run.job, project.jobs);
    const target = project.jobs.get(run.job);
    const given = entriesOf(block, "run").find((it) => it.key === "vars")?.value;
    const vars = new Set(target?.def.vars);
    for (const { key, at } of given?.type === "object" && target && !target.block.broken
      ? given.entries
      : []) {
      if (!vars.has(key)) report(at, `job "${run.job}" has no var "${key}"`, () => insteadOf(key, vars));
    }
  }
  const [decision] = blocksIn(block, "decision");
  if (run.type === "decision" && decision) checkDecision(project, job, run.decision, decision, report);
}

function checkDecision(
  { templates }: Project,
  job: DeclaredJob,
  def: DecisionDef,
  block: Block,
  report: Report,
): void {
  const options = blocksIn(block, "option");
  for (const { key, step, successor } of def.options) {
    const option = options.find((it) => it.labels[0]?.text === key);
    if (step !== undefined && option) stepMustExist(job, placeIn(option, "step"), step, report);
    if (successor !== undefined && option)
      report(
        placeIn(option, "successor"),
        "an option of a step can't have a successor",
        "successor is for the options of a decision_template",
      );
  }
  if (def.template === undefined) return;
  const at = placeIn(block, "template");
  mustExist(report, at, "template", def.template, templates);
  const template = templates.get(def.template);
  if (!template || options.length > 0) return;
  if (template.options.length === 0) {
    report(at, `template "${template.name}" has no options, so this decision needs its own`);
  }
  for (const { key, step } of template.options) {
    if (step === undefined || hasStep(job.def, step)) continue;
    report(
      at,
      `option "${key}" of template "${template.name}" goes to step "${step}", which this job doesn't have`,
    );
  }
}

function checkSuccessors({ templates }: Project, def: Template, block: Block, report: Report): void {
  const options = blocksIn(block, "option");
  for (const { key, successor } of def.options) {
    const option = options.find((it) => it.labels[0]?.text === key);
    if (successor !== undefined && option)
      mustExist(report, placeIn(option, "successor"), "template", successor, templates);
  }
}

function checkRoutes(job: DeclaredJob, def: JobDef | StepDef, block: Block, report: Report): void {
  for (const name of ["on_done", "on_fail", "on_cancel"] as const) {
    const route = def[name];
    if (route) stepMustExist(job, placeIn(block, name, "step"), route.step, report);
  }
}

function checkDependencies(job: DeclaredJob, name: string, block: Block, report: Report): void {
  const value = valueIn(block, "depends_on");
  for (const item of value?.type === "list" ? value.items : []) {
    if (item.type !== "string") continue;
    if (item.value === name) report(item.at, `step "${name}" depends on itself`);
    else stepMustExist(job, item.at, item.value, report);
  }
}

function checkDefaults(block: Block, known: Set<string>, what: string, report: Report): void {
  for (const { key, at } of entriesOf(block, "defaults")) {
    if (!known.has(key)) report(at, `there is no ${what} "${key}"`, () => insteadOf(key, known));
  }
}

function stepMustExist({ def, block }: DeclaredJob, at: Span, name: string, report: Report): void {
  if (block.broken || hasStep(def, name)) return;
  report(at, `step "${name}" does not exist`, () =>
    insteadOf(
      name,
      def.steps.map((it) => it.name),
    ),
  );
}

function hasStep(def: JobDef, name: string): boolean {
  return def.steps.some((it) => it.name === name);
}

function mustExist(report: Report, at: Span, what: string, name: string, known: Map<string, unknown>): void {
  if (!known.has(name)) report(at, `${what} "${name}" does not exist`, () => insteadOf(name, known.keys()));
}
