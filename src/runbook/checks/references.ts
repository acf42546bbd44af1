/**
 * Checks that every `${namespace.name}` in a runbook's texts exists where it is used. Filling them in is up to
 * core/script/interpolate.ts.
 */

import type { Command, JobDef } from "../../core/model/runbook.ts";
import type { Reference } from "../../core/script/interpolate.ts";
import { NAMESPACES, nameOf, references } from "../../core/script/interpolate.ts";
import { suggest } from "../../core/text/suggest.ts";
import type { Declared, DeclaredJob } from "../build/build-job.ts";
import type { Project } from "../build/project.ts";
import { insteadOf } from "../build/shape.ts";
import type { Hint, Report } from "../hcl/source.ts";
import type { Block, Text } from "../hcl/syntax.ts";
import { blocksIn, entriesOf, spanIn, textsIn, textsOf, valueIn } from "../hcl/syntax.ts";

export function checkReferences(project: Project): void {
  const users = usersOf(project);
  for (const { commands, jobs, agents, templates, report } of project.files) {
    for (const { def, block } of commands) checkCommand(def, block, report);
    for (const job of jobs) checkJob(job, users.commandsOfJob.get(job.def.kind), report);
    for (const { def, block } of agents)
      checkBlock(
        block,
        agentScope(users.jobsOfAgent.get(def.name), users.commandsOfAgent.get(def.name)),
        report,
      );
    for (const { block } of templates) checkBlock(block, { agent: NO_AGENT }, report);
  }
}

/** The names that each namespace has here. A namespace that isn't listed is not checked. */
type Scope = Partial<Record<(typeof NAMESPACES)[number], Names>> & {
  /** What has a default may be missing. */
  mayLack?: true;
};
type Names =
  | { names: ReadonlySet<string>; what: string; later?: ReadonlySet<string>; others?: string }
  | { none: string };

/** The fields that may follow a name: `${step.build.output}`. A test keeps them in step with core/flow/scope.ts. */
export const FIELDS: Record<string, string[]> = {
  workspace: ["dir", "root", "branch"],
  invoke: ["dir"],
  job: ["id", "name", "kind", "project", "root", "error", "message"],
  step: ["status", "output", "error", "exit_code"],
  decision: ["choice", "number", "label", "message", "by"],
  agent: ["id", "name"],
};

/** A step's texts are filled in before its agent exists; the texts of the agent's own block are filled in later. */
const NO_AGENT: Names = { none: "is only available in an agent's block" };

/** Its defaults become its arguments, before there is anything to start. */
function checkCommand(def: Command, block: Block, report: Report): void {
  const scope = commandScope(def, block);
  const notYet: Names = { none: "is not available yet when the arguments are read" };
  for (const item of block.items) {
    const isEarly = (item.type === "attribute" ? item.name : item.kind) === "defaults";
    checkTexts(textsOf(item), isEarly ? { ...scope, args: notYet, job: notYet } : scope, report);
  }
}

function checkJob(job: DeclaredJob, commands: Command[] | null | undefined, report: Report): void {
  const { def, block } = job;
  const scope: Scope = { ...jobScope(job, commands), agent: NO_AGENT };
  const notYet: Names = { none: "is not available yet when the job starts" };
  const early: Scope = { ...scope, step: notYet, decision: notYet, workspace: notYet };
  checkLocals(def, block, early, report);
  for (const item of block.items) {
    const name = item.type === "attribute" ? item.name : item.kind;
    if (name === "locals") continue;
    if (name === "defaults") checkTexts(textsOf(item), { ...early, var: notYet, local: notYet }, report);
    else checkTexts(textsOf(item), ["name", "cwd", "workspace"].includes(name) ? early : scope, report);
  }
}

/** A local may use the ones before it. */
function checkLocals(def: JobDef, block: Block, scope: Scope, report: Report): void {
  const before = new Set<string>();
  const all = new Set(Object.keys(def.locals));
  for (const { key, value } of entriesOf(block, "locals")) {
    checkTexts(textsIn(value), { ...scope, local: { names: before, what: "local", later: all } }, report);
    before.add(key);
  }
}

function checkBlock(block: Block, scope: Scope, report: Report): void {
  for (const item of block.items) checkTexts(textsOf(item), scope, report);
}

function checkTexts(texts: Text[], scope: Scope, report: Report): void {
  for (const text of texts) {
    if (!text.value.includes("${")) continue;
    if (isTooNested(text.value)) {
      report(text.at, `more than ${DEEPEST} \${ are nested or not closed`);
      continue;
    }
    for (const reference of references(text.value)) {
      const [message, hint] = problemOf(reference, scope) ?? [];
      if (message) report(spanIn(text, reference.start, reference.end), message, hint);
    }
  }
}

function problemOf(reference: Reference, scope: Scope): [message: string, hint?: Hint] | null {
  const { namespace, path, raw, problem } = reference;
  const known = NAMESPACES.find((it) => it === namespace);
  if (known === undefined) {
    const near = suggest(namespace, NAMESPACES);
    const literal = `the namespaces are ${NAMESPACES.join(", ")}; for a literal \${ write $\${`;
    return [`"${namespace}" is not a namespace`, near === null ? literal : `did you mean "${near}"?`];
  }
  if (problem !== undefined) return [`${raw} ${problem}`, `for a literal \${ write $\${`];
  if (scope.mayLack && reference.fallback !== undefined) return null;
  const [first = "", second] = path;
  const names = scope[known];
  if (names && "none" in names) return [`${nameOf(reference)} ${names.none}`];
  if (names && !names.names.has(first)) {
    if (names.later?.has(first))
      return [`${names.what} "${first}" is used before it is declared`, "order matters"];
    if (names.others) return [`${nameOf(reference)} ${names.others}`];
    return [`there is no ${names.what} "${first}"`, () => insteadOf(first, names.names)];
  }
  const fields = FIELDS[known];
  const hasName = known === "step" || known === "decision";
  if (fields === undefined) return path.length > 1 ? [`nothing can follow ${known}.${first}`] : null;
  const field = hasName ? second : first;
  if (field === undefined)
    return [`${nameOf(reference)} is not a single value`, `add ${fields.map((it) => `.${it}`).join(" or ")}`];
  if (!fields.includes(field))
    return [`${hasName ? `${known}.${first}` : known} has no "${field}"`, insteadOf(field, fields)];
  return path.length > (hasName ? 2 : 1)
    ? [`nothing can follow ${known}.${path.slice(0, hasName ? 2 : 1).join(".")}`]
    : null;
}

function commandScope(def: Command, block: Block): Scope {
  const none: Names = { none: "belongs to a job; a command has args" };
  const args = some(
    "argument",
    def.args.map((it) => it.name),
  );
  return {
    ...(block.broken ? {} : { args }),
    var: none,
    local: none,
    workspace: none,
    step: none,
    decision: none,
    agent: NO_AGENT,
  };
}

/** The names a job has, as far as they could be read. Its `args` are known only if it is started by commands alone. */
function jobScope({ def, block, steps }: DeclaredJob, commands: Command[] | null | undefined): Scope {
  if (block.broken) return {};
  const scope: Scope = {};
  const allSteps =
    steps.length === block.items.filter((it) => it.type === "block" && it.kind === "step").length;
  const asking = def.steps.filter((it) => it.run.type === "decision");
  const args = commands?.flatMap((it) => it.args.map((arg) => arg.name));
  if ((valueIn(block, "vars")?.type ?? "list") === "list") scope.var = some("var", def.vars);
  if ((valueIn(block, "locals")?.type ?? "object") === "object")
    scope.local = some("local", Object.keys(def.locals));
  if (allSteps)
    scope.step = some(
      "step",
      def.steps.map((it) => it.name),
    );
  if (allSteps)
    scope.decision = some(
      "decision step",
      asking.map((it) => it.name),
    );
  if (args) scope.args = some("argument", args);
  const isWritten = valueIn(block, "workspace") !== undefined || blocksIn(block, "workspace").length > 0;
  if (!isWritten) scope.workspace = { none: "is not available: this job has no workspace" };
  return scope;
}

/**
 * An agent sees the names of all jobs that use it, and the arguments of the commands that run it as a crew; a name is
 * wrong only if none of them has it.
 */
function agentScope(jobs: readonly DeclaredJob[] = [], commands: readonly Declared<Command>[] = []): Scope {
  if (commands.some((it) => it.block.broken)) return {};
  const args = commands.flatMap(({ def }) => def.args.map((it) => it.name));
  if (jobs.length === 0) return commands.length === 0 ? {} : crewScope(args);
  const scopes = jobs.map((it) => jobScope(it, null));
  const scope: Scope = {};
  for (const [namespace, what] of [
    ["var", "var"],
    ["local", "local"],
    ["step", "step"],
    ["decision", "decision step"],
  ] as const) {
    const each = scopes.map((it) => it[namespace]);
    if (each.some((it) => it === undefined)) continue;
    const names = each.flatMap((it) => (it && "names" in it ? [...it.names] : []));
    scope[namespace] = some(what, namespace === "var" ? [...names, ...args] : names);
  }
  const isNowhere = scopes.every((it) => it.workspace !== undefined);
  if (isNowhere) scope.workspace = { none: "is not available: no job with this agent has a workspace" };
  return scope;
}

/** For an agent that only crews run: they have the arguments, as `args` and as `var`. */
function crewScope(args: readonly string[]): Scope {
  const others = "belongs to a job, and only crews run this agent";
  const none: Names = { none: others };
  const own = some("argument", args);
  const job: Names = { names: new Set(["project", "root"]), what: "", others };
  return {
    args: own,
    var: own,
    job,
    local: none,
    step: none,
    decision: none,
    workspace: none,
    mayLack: true,
  };
}

function some(what: string, names: readonly string[]): Names {
  return { what, names: new Set(names) };
}

/** The users of each agent and job; null if a job is also used in a way that brings names we don't know. */
function usersOf({ files }: Project) {
  const jobsOfAgent = new Map<string, DeclaredJob[]>();
  const commandsOfAgent = new Map<string, Declared<Command>[]>();
  const commandsOfJob = new Map<string, Command[] | null>();
  for (const job of files.flatMap((it) => it.jobs)) {
    for (const { run } of job.def.steps) {
      if (run.type === "agent") add(jobsOfAgent, run.agent, job);
      if (run.type === "job") commandsOfJob.set(run.job, null);
    }
  }
  for (const command of files.flatMap((it) => it.commands)) {
    const { run } = command.def;
    if (run.type === "agent") add(commandsOfAgent, run.agent, command);
    if (run.type === "job") add(commandsOfJob, run.job, command.def);
  }
  return { jobsOfAgent, commandsOfAgent, commandsOfJob };
}

function add<T, U extends T[] | null>(users: Map<string, T[] | U>, name: string, user: T): void {
  const known = users.get(name);
  if (known === undefined) users.set(name, [user]);
  else known?.push(user);
}

const DEEPEST = 50;

/** Finding the end of a `${` takes longer the more of them are open, so a text may have only this many. */
export function isTooNested(text: string): boolean {
  const open: boolean[] = [];
  let ours = 0;
  for (const { 0: found } of text.matchAll(/\$?\{|\}/g)) {
    if (found === "}") ours -= open.pop() ? 1 : 0;
    else {
      open.push(found === "${");
      ours += found === "${" ? 1 : 0;
    }
    if (ours > DEEPEST) return true;
  }
  return false;
}
