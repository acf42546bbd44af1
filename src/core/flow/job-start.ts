/** What a job is given, recorded as its first event. The steps that follow are in `job-flow.ts`. */

import { Refusal } from "../model/errors.ts";
import type { JobId } from "../model/ids.ts";
import type { Job, Library } from "../model/job-types.ts";
import type { JobDef, StepRun, Value, WorkspaceDef } from "../model/runbook.ts";
import type { Draft } from "../model/state/draft.ts";
import type { Lookup } from "../script/interpolate.ts";
import { interpolate } from "../script/interpolate.ts";
import { nextInOrder } from "./order.ts";
import { scopeOf } from "./scope.ts";

export interface JobInput {
  project: string;
  def: JobDef;
  library: Library;
  args: Record<string, Value>;
  vars: Record<string, Value>;
  env: Record<string, string>;
  invoke: string;
  root: string;
  by: string;
  sponsor?: string;
  max_entries: number;
  context_timeout_ms: number;
  context_max_bytes: number;
}

export function createJob(draft: Draft, id: JobId, input: JobInput, parent: Job["parent"]): void {
  const { def } = input;
  if (nextInOrder(def, null) === null)
    throw new Refusal("job.invalid", `job "${def.kind}" has no step to start with`);
  const own: Record<string, Value> = {
    id,
    kind: def.kind,
    project: input.project,
    root: input.root,
    name: def.kind,
    error: "",
    message: "",
  };
  const base: Record<string, Record<string, Value>> = {
    args: input.args,
    env: input.env,
    invoke: { dir: input.invoke },
    job: own,
  };
  const vars = varsOf(def, input.vars, lookup(base));
  const locals: Record<string, string> = {};
  const scope = lookup({ ...base, var: vars, local: locals });
  for (const [name, text] of Object.entries(def.locals)) locals[name] = interpolate(text, scope);
  const name = def.name === undefined ? def.kind : interpolate(def.name, scope);
  own.name = name;
  const cwd = def.cwd === undefined ? input.invoke : under(input.root, interpolate(def.cwd, scope));
  const workspace = def.workspace && filledWorkspace(def.workspace, scope);
  draft.emit({
    type: "job:created",
    id,
    project: input.project,
    name,
    kind: def.kind,
    def: workspace ? { ...def, workspace } : def,
    library: input.library,
    vars,
    args: input.args,
    locals,
    env: input.env,
    invoke: input.invoke,
    root: input.root,
    cwd,
    parent,
    by: input.by,
    ...(input.sponsor === undefined ? {} : { sponsor: input.sponsor }),
    max_entries: input.max_entries,
    context_timeout_ms: input.context_timeout_ms,
    context_max_bytes: input.context_max_bytes,
    origin: parent ? draft.job(parent.job_id).origin : id,
  });
}

/** What a step gives the job that it runs: the parent's variables that the job names, overridden by the step's own. */
export function childInput(parent: Job, run: Extract<StepRun, { type: "job" }>): JobInput {
  const def = parent.library.jobs[run.job];
  if (!def) throw new Refusal("job.invalid", `job "${run.job}" is not known to ${parent.id}`);
  const own = Object.entries(run.vars).map(([name, text]) => [name, interpolate(text, scopeOf(parent))]);
  const inherited = Object.entries(parent.vars).filter(([name]) => def.vars.includes(name));
  const { project, library, args, env, root, by, max_entries, context_timeout_ms, context_max_bytes } =
    parent;
  const who = parent.sponsor === undefined ? { by } : { by, sponsor: parent.sponsor };
  const vars = Object.fromEntries([...inherited, ...own]);
  const invoke = parent.workspace?.path ?? parent.cwd;
  const limits = { max_entries, context_timeout_ms, context_max_bytes };
  return { project, def, library, args, vars, env, invoke, root, ...who, ...limits };
}

/** Every variable that the job names: the given value, or its default. */
function varsOf(def: JobDef, given: Record<string, Value>, scope: Lookup): Record<string, Value> {
  const unknown = Object.keys(given).filter((it) => !def.vars.includes(it));
  const vars: Record<string, Value> = {};
  const missing: string[] = [];
  for (const name of def.vars) {
    const fallback = Object.hasOwn(def.defaults, name) ? def.defaults[name] : undefined;
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value !== undefined && (value.length > 0 || fallback === undefined)) vars[name] = value;
    else if (fallback !== undefined) vars[name] = interpolate(fallback, scope);
    else missing.push(name);
  }
  const problems = [
    ...missing.map((it) => `it needs "${it}", which has no value and no default`),
    ...unknown.map((it) => `it has no variable "${it}"`),
  ];
  if (problems.length > 0) {
    throw new Refusal(
      "job.invalid",
      `job "${def.kind}" can't start: ${problems.join("; ")}`,
      `its vars are: ${def.vars.join(", ") || "none"}`,
    );
  }
  return vars;
}

function filledWorkspace(def: WorkspaceDef, scope: Lookup): WorkspaceDef {
  if (def.type === "folder") return def;
  return {
    type: "git",
    ...(def.branch === undefined ? {} : { branch: interpolate(def.branch, scope) }),
    ...(def.ref === undefined ? {} : { ref: interpolate(def.ref, scope) }),
  };
}

function lookup(values: Record<string, Record<string, Value>>): Lookup {
  return ({ namespace, path }) => {
    const names = Object.hasOwn(values, namespace) ? values[namespace] : undefined;
    const name = path[0] ?? "";
    return names && path.length === 1 && Object.hasOwn(names, name) ? names[name] : undefined;
  };
}

function under(root: string, path: string): string {
  return path.startsWith("/") ? path : `${root}/${path}`;
}
