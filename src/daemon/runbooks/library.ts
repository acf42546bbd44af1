/**
 * Collects what a job takes from the runbook: its definition, the jobs and templates it may need, the variables it
 * names.
 */
import { Refusal } from "../../core/model/errors.ts";
import type { Library } from "../../core/model/job-types.ts";
import type { AgentDef, Command, JobDef, Runbook } from "../../core/model/runbook.ts";
import { references } from "../../core/script/interpolate.ts";

export interface Bundle {
  def: JobDef;
  library: Library;
  /** Names of the environment variables that the definitions refer to as `${env.X}`. */
  env: string[];
}

/** For a command that runs an agent by itself: the agent's definition, and the environment variables it names. */
export function crewOf(runbook: Runbook, command: Command): { def: AgentDef; env: string[] } | null {
  const { run } = command;
  if (run.type !== "agent") return null;
  const def = runbook.agents.find((it) => it.name === run.agent);
  if (!def)
    throw new Refusal(
      "runbook.invalid",
      `agent "${run.agent}" is not in any runbook that could be read`,
      "oj runbook check",
    );
  return { def, env: envNames(def) };
}

export function bundleOf(runbook: Runbook, command: Command): Bundle {
  const def = defOf(runbook, command);
  const jobs: Record<string, JobDef> = {};
  gatherJobs(runbook, def, jobs);
  const all = [def, ...Object.values(jobs)];
  const used = new Set(
    all
      .flatMap((it) => it.steps)
      .flatMap((it) => (it.run.type === "decision" ? [it.run.decision.template] : [])),
  );
  const templates = Object.fromEntries(
    runbook.templates.filter((it) => used.has(it.name)).map((it) => [it.name, it]),
  );
  const wanted = new Set(
    all.flatMap((it) => it.steps).flatMap((it) => (it.run.type === "agent" ? [it.run.agent] : [])),
  );
  const agents = Object.fromEntries(
    runbook.agents.filter((it) => wanted.has(it.name)).map((it) => [it.name, it]),
  );
  return {
    def,
    library: { jobs, agents, templates },
    env: envNames([all, agents, templates]),
  };
}

function envNames(definitions: unknown): string[] {
  const named = textsOf(definitions)
    .flatMap(references)
    .filter((it) => it.namespace === "env");
  return [...new Set(named.map((it) => it.path[0] ?? ""))];
}

function defOf(runbook: Runbook, command: Command): JobDef {
  const { run, name, path, line } = command;
  if (run.type === "agent") throw new Error(`${name} is a crew`);
  if (run.type === "job") return jobNamed(runbook, run.job);
  const step = {
    name: "run",
    run: { type: "shell" as const, script: run.script },
    depends_on: [],
    env: {},
    path,
    line,
  };
  return { kind: name, vars: [], defaults: {}, locals: {}, steps: [step], path, line };
}

function gatherJobs(runbook: Runbook, def: JobDef, found: Record<string, JobDef>): void {
  for (const { run } of def.steps) {
    if (run.type !== "job" || Object.hasOwn(found, run.job)) continue;
    const child = jobNamed(runbook, run.job);
    found[run.job] = child;
    gatherJobs(runbook, child, found);
  }
}

function jobNamed(runbook: Runbook, kind: string): JobDef {
  const def = runbook.jobs.find((it) => it.kind === kind);
  if (!def)
    throw new Refusal(
      "runbook.invalid",
      `job "${kind}" is not in any runbook that could be read`,
      "oj runbook check",
    );
  return def;
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}
