/** Checks where a job goes: steps that nothing leads to, and loops without a way out. */

import { standsAside } from "../../core/flow/order.ts";
import type { JobDef, OptionDef, Route, StepDef } from "../../core/model/runbook.ts";
import { withTemplateOptions } from "../../core/template/template.ts";
import type { DeclaredJob } from "../build/build-job.ts";
import type { Project } from "../build/project.ts";
import { chain } from "../build/project.ts";
import type { Report, Span } from "../hcl/source.ts";
import type { Block } from "../hcl/syntax.ts";
import { blocksIn, placeIn, valueIn } from "../hcl/syntax.ts";

export function checkFlow(project: Project): void {
  for (const { jobs, report, warn } of project.files) {
    for (const one of jobs) {
      const job = { ...one, def: withTemplateOptions(one.def, project.templates) };
      if (isReadable(job)) checkJob(job, report, warn);
    }
  }
}

/** Where a step may lead if all goes well; `ends` if the job may end there. */
interface Ways {
  to: string[];
  ends: boolean;
  /** Where it leads if it is skipped because of a step it depends on. */
  skipped?: string | undefined;
}

function checkJob(job: DeclaredJob, report: Report, warn: Report): void {
  const { def } = job;
  const ordered = def.steps.filter((it) => !standsAside(def, it.name));
  const [first] = ordered;
  if (first === undefined) {
    const why = "all of its steps are only for when something fails or ends";
    report(job.block.at, `job "${def.kind}" has no step to start with`, why);
    return;
  }
  const ways = new Map(def.steps.map((step) => [step.name, waysOf(step, ordered, def.on_done)]));
  const reached = reachable(def, ways, first.name);
  for (const step of def.steps) {
    if (!reached.has(step.name))
      report(stepAt(job, step.name), `step "${step.name}" is never reached`, whyNot(def, step.name));
  }
  checkRounds(job, ways, reached, report);
  job.steps.forEach((block, index) => {
    const name = def.steps[index]?.name;
    if (name !== undefined && reached.has(name)) checkOrder(def, ways, { name, block }, warn);
  });
}

/** A step that depends on one that only comes later is skipped each time: `depends_on` doesn't change the order. */
function checkOrder(
  def: JobDef,
  ways: Map<string, Ways>,
  { name, block }: { name: string; block: Block },
  warn: Report,
): void {
  const value = valueIn(block, "depends_on");
  for (const item of value?.type === "list" ? value.items : []) {
    if (item.type !== "string" || item.value === name || !ways.has(item.value)) continue;
    if (reachable(def, ways, item.value).has(name)) continue;
    warn(
      item.at,
      `step "${name}" is always skipped: "${item.value}", which it depends on, never comes before it`,
      "steps run in file order; depends_on only skips",
    );
  }
}

/** `last` is the job's own `on_done`: it comes after the last step, and may end the job wherever it stands. */
function waysOf(step: StepDef, ordered: StepDef[], last: Route | undefined): Ways {
  const isOrdered = ordered.includes(step);
  const isLast = last?.step === step.name;
  const next = isOrdered ? ordered[ordered.indexOf(step) + 1]?.name : undefined;
  const after = isOrdered && next === undefined && !isLast ? last : undefined;
  const isForced = step.on_done !== undefined && step.on_done.attempts === undefined;
  const isFollowed = next !== undefined || (after !== undefined && after.attempts === undefined);
  const done: Ways = {
    to: [step.on_done?.step, isForced ? undefined : (next ?? after?.step)].filter((it) => it !== undefined),
    ends: !isForced && (isLast || !isFollowed),
    skipped: step.depends_on.length > 0 ? next : undefined,
  };
  if (step.run.type !== "decision") return done;
  const each = optionsOf(step).map((option): Ways => {
    if (option.step !== undefined) return { to: [option.step], ends: false };
    if (option.action === "dismiss") return { to: [], ends: false };
    if (option.action === "cancel" || option.action === "fail") return { to: [], ends: true };
    return done;
  });
  return { ...done, to: each.flatMap((it) => it.to), ends: each.some((it) => it.ends) };
}

function optionsOf({ run }: StepDef): readonly OptionDef[] {
  return run.type === "decision" ? run.decision.options : [];
}

function reachable(def: JobDef, ways: Map<string, Ways>, first: string): Set<string> {
  const routes = [def.on_done, def.on_fail, def.on_cancel].flatMap((it) => it?.step ?? []);
  const reached = new Set<string>();
  const open = [first, ...routes];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    const step = def.steps.find((it) => it.name === name);
    const { to = [], skipped } = ways.get(name) ?? {};
    open.push(
      ...to,
      ...[skipped, step?.on_fail?.step, step?.on_cancel?.step].filter((it) => it !== undefined),
    );
  }
  return reached;
}

function whyNot(def: JobDef, name: string): string {
  const index = def.steps.findIndex((it) => it.name === name);
  const before = def.steps.slice(0, index).findLast((it) => !standsAside(def, it.name));
  if (before?.on_done)
    return `step "${before.name}" goes to "${before.on_done.step}", and nothing leads here`;
  return "nothing leads to it";
}

/** Reports each loop among the steps from which the job can't end, once. */
function checkRounds(job: DeclaredJob, ways: Map<string, Ways>, reached: Set<string>, report: Report): void {
  const canEnd = new Set([...ways].filter(([, it]) => it.ends).map(([name]) => name));
  for (let size = -1; size !== canEnd.size; ) {
    size = canEnd.size;
    for (const [name, { to }] of ways) if (to.some((it) => canEnd.has(it))) canEnd.add(name);
  }
  const seen = new Set<string>();
  for (const stuck of [...reached].filter((it) => !canEnd.has(it))) {
    const path: string[] = [];
    let at: string | undefined = stuck;
    for (; at !== undefined && !seen.has(at); at = ways.get(at)?.to[0]) {
      seen.add(at);
      path.push(at);
    }
    if (at === undefined)
      report(stepAt(job, path.at(-1)), `no option of step "${path.at(-1)}" lets the job continue or end`);
    else if (path.includes(at)) tellRound(job, path.slice(path.indexOf(at)), report);
  }
}

function tellRound(job: DeclaredJob, round: string[], report: Report): void {
  const last = job.def.steps.findLast((it) => round.includes(it.name));
  const isAsked = last?.run.type === "decision";
  const hint = isAsked
    ? "let an option lead elsewhere"
    : "let on_done go elsewhere, or limit it with attempts";
  const message =
    round.length === 1
      ? `step "${round[0]}" goes to itself, so the job never ends`
      : `steps ${chain([...round, round[0] ?? ""])} go round in a loop that never ends`;
  report(stepAt(job, last?.name, "on_done", "step"), message, hint);
}

/** The place of a step in the file, or of a value in it. */
function stepAt(job: DeclaredJob, name: string | undefined, attribute?: string, key?: string): Span {
  const block = job.steps[job.def.steps.findIndex((it) => it.name === name)];
  if (block === undefined) return job.block.at;
  return attribute === undefined ? block.at : placeIn(block, attribute, key);
}

/** Whether everything that decides where this job goes was understood. If not, the other checks would be guesses. */
function isReadable({ def, block, steps }: DeclaredJob): boolean {
  const blocks = [block, ...steps, ...steps.flatMap((it) => blocksIn(it, "decision"))];
  const wasRead = [def, ...def.steps].every((it, index) => {
    const from = blocks[index];
    return (
      from &&
      (["on_done", "on_fail", "on_cancel"] as const).every((name) => !valueIn(from, name) === !it[name])
    );
  });
  const names = new Set(def.steps.map((it) => it.name));
  const targets = [def, ...def.steps].flatMap((it) =>
    [it.on_done, it.on_fail, it.on_cancel].flatMap((route) => route?.step ?? []),
  );
  const isAsked = def.steps.every((it) => it.run.type !== "decision" || optionsOf(it).length > 0);
  const chosen = def.steps.flatMap(optionsOf).flatMap((it) => it.step ?? []);
  return (
    steps.length > 0 &&
    steps.length === blocksIn(block, "step").length &&
    !blocks.some((it) => it.broken) &&
    wasRead &&
    isAsked &&
    [...targets, ...chosen].every((it) => names.has(it))
  );
}
