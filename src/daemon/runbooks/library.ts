/**
 * Collects what a job takes from the runbook: its definition, the jobs and templates it may need, the variables it
 * names.
 */
import { Refusal } from "../../core/model/errors.ts";
import type { Library } from "../../core/model/job-types.ts";
import type { AgentDef, Command, JobDef, Overdue, Runbook } from "../../core/model/runbook.ts";
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
  if (!def) throw unread("agent", run.agent);
  refuseUnlinked(saidBy(def));
  return { def, env: envNames(def) };
}

/** Refuses a job that names anything from a file with problems: without its template's rule, anybody could answer. */
export function bundleOf(runbook: Runbook, command: Command): Bundle {
  const def = defOf(runbook, command);
  const jobs: Record<string, JobDef> = {};
  gatherJobs(runbook, def, jobs);
  const all = [def, ...Object.values(jobs)];
  const runs = all.flatMap((it) => it.steps).map((it) => it.run);
  const asked = runs.flatMap((it) => (it.type === "decision" ? [it.decision] : []));
  const templates = namedIn(
    runbook.templates,
    asked.flatMap((it) => it.template ?? []),
    "template",
  );
  const agents = namedIn(
    runbook.agents,
    runs.flatMap((it) => (it.type === "agent" ? [it.agent] : [])),
    "agent",
  );
  refuseUnlinked([
    ...all.map((it) => it.notify),
    ...asked,
    ...Object.values(templates),
    ...Object.values(agents).flatMap(saidBy),
  ]);
  return {
    def,
    library: { jobs, agents, templates },
    env: envNames([all, agents, templates]),
  };
}

function namedIn<T extends { name: string }>(
  known: readonly T[],
  names: readonly string[],
  kind: string,
): Record<string, T> {
  return Object.fromEntries(
    names.map((name) => {
      const found = known.find((it) => it.name === name);
      if (!found) throw unread(kind, name);
      return [name, found];
    }),
  );
}

/** Everything that an agent's block says about what happens while nobody answers. */
function saidBy(def: AgentDef): (Overdue | undefined)[] {
  return [def.notify, def.on_idle, def.on_dead, def.on_prompt, def.on_signal, ...(def.on_error ?? [])];
}

function refuseUnlinked(said: readonly (Overdue | undefined)[]): void {
  const one = said.find((it) => it?.escalation !== undefined && it.chain === undefined);
  if (one?.escalation !== undefined) throw unread("escalation", one.escalation);
}

function unread(kind: string, name: string): Refusal {
  return new Refusal(
    "runbook.invalid",
    `${kind} "${name}" is not in any runbook that could be read`,
    "oj runbook check",
  );
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
  if (!def) throw unread("job", kind);
  return def;
}

function textsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}
