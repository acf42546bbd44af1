/**
 * Checks what is to happen while nobody answers: every name exists, levels begin before the deadline, and no deadline
 * approves, accepts or goes on with something that can't be undone.
 */
import type { Option, Source } from "../../core/model/decision-types.ts";
import { CHANNEL_KINDS } from "../../core/model/reach-types.ts";
import type { DecisionDef, Overdue, Template } from "../../core/model/runbook.ts";
import type { ReachConfig } from "../../core/reach/config-types.ts";
import { nameProblem } from "../../core/reach/who.ts";
import { optionsFor, stepOption } from "../../core/template/options.ts";
import { whyNoDefault } from "../../core/template/overdue.ts";
import { withTemplate } from "../../core/template/template.ts";
import type { DeclaredJob } from "../build/build-job.ts";
import type { DeclaredEscalation } from "../build/overdue.ts";
import type { Project, ProjectFile } from "../build/project.ts";
import { insteadOf } from "../build/shape.ts";
import type { Report, Span } from "../hcl/source.ts";
import type { Block } from "../hcl/syntax.ts";
import { blocksIn, entriesOf, placeIn, valueIn } from "../hcl/syntax.ts";

/** The people whom names may mean. */
export type Known = Pick<ReachConfig, "people" | "groups" | "rotas">;

/** `known`: null if nobody asks whether the people exist. */
export function checkOverdue(project: Project, known: Known | null): void {
  for (const file of project.files) {
    for (const it of file.escalations) checkEscalation(project, it, known, file.report);
    for (const job of file.jobs) checkJob(project, job, file);
    for (const { def, block } of file.agents) {
      checkSaid(project, said(block, "notify", def.notify), file.report);
      checkAgentDefault(said(block, "notify", def.notify), file.report);
      for (const on of ["on_idle", "on_dead", "on_prompt", "on_signal"] as const) {
        const trigger = said(block, on, def[on]);
        checkSaid(project, trigger, file.report);
        checkAgentDefault(trigger, file.report);
      }
      for (const it of def.on_error ?? []) {
        const trigger = said(block, "on_error", it);
        checkSaid(project, trigger, file.report);
        checkAgentDefault(trigger, file.report);
      }
    }
    for (const { def, block } of file.policies) {
      const { escalation } = def;
      checkSaid(project, own(block, escalation === null ? {} : { escalation }), file.report);
    }
    for (const { def, block } of file.templates) {
      checkSaid(project, own(block, def), file.report);
      checkTemplateDefault(def.options, own(block, def), file.report);
    }
  }
}

/** What a block says, and where it says it. */
interface Said {
  overdue: Overdue | undefined;
  at(name: keyof Overdue | "deadline"): Span;
}

function own(block: Block, overdue: Overdue): Said {
  return { overdue, at: (name) => placeIn(block, name) };
}

/** `notify { … }` or `notify = { … }`, and the like. */
function said(block: Block, attribute: string, overdue: Overdue | undefined): Said {
  return {
    overdue,
    at: (name) =>
      entriesOf(block, attribute).find((it) => it.key === name)?.value.at ?? placeIn(block, attribute),
  };
}

function checkSaid({ escalations }: Project, { overdue, at }: Said, report: Report): void {
  if (!overdue) return;
  const { escalation: name, deadline_ms, default: key } = overdue;
  const named = name === undefined ? undefined : escalations.get(name);
  if (name !== undefined && !named)
    report(at("escalation"), `escalation "${name}" does not exist`, () =>
      insteadOf(name, escalations.keys()),
    );
  if (named && deadline_ms !== undefined) checkLevels(named, deadline_ms, at("deadline"), report);
  const hasDeadline = deadline_ms !== undefined || (named?.def.deadline_ms ?? null) !== null;
  if (key !== undefined && !hasDeadline && !(name !== undefined && !named))
    report(at("default"), "there is a default but no deadline", 'like deadline = "4h"');
}

/** A deadline of its own may come before levels of the escalation. */
function checkLevels({ def }: DeclaredEscalation, deadline_ms: number, at: Span, report: Report): void {
  let begins = 0;
  for (const [index, { next_ms }] of def.levels.entries()) {
    if (begins >= deadline_ms && index > 0) {
      report(at, `level ${index + 1} of escalation "${def.name}" begins after this deadline`);
      return;
    }
    begins += next_ms ?? 0;
  }
}

function checkEscalation(
  project: Project,
  { def, block, levels }: DeclaredEscalation,
  known: Known | null,
  report: Report,
): void {
  levels.forEach((level) => {
    const whom = valueIn(level, "notify");
    for (const item of known && whom?.type === "list" ? whom.items : []) {
      const problem = item.type === "string" && known ? nameProblem(known, item.value) : null;
      if (problem !== null) report(item.at, problem);
    }
    const via = valueIn(level, "via");
    for (const item of via?.type === "list" ? via.items : []) {
      const kind = item.type === "string" ? item.value.split(".")[0] : undefined;
      if (kind !== undefined && !CHANNEL_KINDS.some((it) => it === kind))
        report(item.at, `unknown channel "${kind}"`, () => insteadOf(kind, CHANNEL_KINDS));
    }
  });
  const key = def.default;
  if (key === null || usersOf(project, def.name).some((it) => it.options.some((one) => one.key === key)))
    return;
  if (templatesOf(project, def.name).some(({ options }) => options.some((it) => it.key === key))) return;
  const why = whyNoAgentDefault(key);
  if (why === null || (why.isUnknown && !isNamed(project, def.name))) return; // a request may have such an option
  report(placeIn(block, "default"), why.message, why.hint);
}

/** Whether a block of the project follows this escalation. If none does, it is there for requests and routes. */
function isNamed(project: Project, name: string): boolean {
  const names = (it: Overdue | undefined) => it?.escalation === name;
  return (
    usersOf(project, name).length > 0 ||
    templatesOf(project, name).length > 0 ||
    project.files.some(
      ({ jobs, agents }) =>
        jobs.some(({ def }) => names(def.notify)) ||
        agents.some(({ def }) =>
          [def.notify, def.on_idle, def.on_dead, def.on_prompt, def.on_signal, ...(def.on_error ?? [])].some(
            names,
          ),
        ),
    )
  );
}

/** The templates that follow this escalation: requests take their options from them. */
function templatesOf({ files }: Project, name: string): Template[] {
  return files.flatMap((it) => it.templates.map(({ def }) => def)).filter((it) => it.escalation === name);
}

/** The decisions of steps that follow this escalation. */
function usersOf({ files, templates }: Project, name: string): DecisionDef[] {
  return files.flatMap((it) =>
    it.jobs.flatMap(({ def }) =>
      def.steps.flatMap(({ run }) => {
        if (run.type !== "decision") return [];
        const asked = withTemplate(run.decision, templates.get(run.decision.template ?? ""));
        return (asked.escalation ?? def.notify?.escalation) === name ? [asked] : [];
      }),
    ),
  );
}

function checkJob(project: Project, { def, block, steps }: DeclaredJob, { report }: ProjectFile): void {
  const ofJob = said(block, "notify", def.notify);
  checkSaid(project, ofJob, report);
  def.steps.forEach(({ run }, index) => {
    const [inner] = blocksIn(steps[index] ?? block, "decision");
    if (run.type !== "decision" || !inner) return;
    const mine = own(inner, run.decision);
    checkSaid(project, mine, report);
    const template = project.templates.get(run.decision.template ?? "");
    checkStepDefault(project, withTemplate(run.decision, template), { mine, ofJob, inner }, report);
  });
}

/** Whatever says what the default is: it must be one of the options, and one that may be chosen unseen. */
function checkStepDefault(
  { escalations }: Project,
  asked: DecisionDef,
  { mine, ofJob, inner }: { mine: Said; ofJob: Said; inner: Block },
  report: Report,
): void {
  const ofEscalation = escalations.get(asked.escalation ?? ofJob.overdue?.escalation ?? "")?.def.default;
  const key = asked.default ?? ofJob.overdue?.default ?? ofEscalation ?? null;
  if (key === null || asked.options.length === 0) return;
  const at = mine.overdue?.default === undefined ? placeIn(inner, "escalation") : mine.at("default");
  const option = asked.options.find((it) => it.key === key);
  const keys = asked.options.map((it) => it.key);
  if (!option) {
    // what a job or an escalation says is for many decisions; what this one says is for its own options
    if (asked.default !== undefined) report(at, `there is no option "${key}"`, () => insteadOf(key, keys));
    return;
  }
  const { action, reversible } = stepOption(option);
  const why = whyNoDefault(action, reversible === true);
  if (why !== null)
    report(
      at,
      `"${key}" can't be the default: it ${why}`,
      `give option "${key}" reversible = true if it can be`,
    );
}

function checkTemplateDefault(options: DecisionDef["options"], { overdue, at }: Said, report: Report): void {
  const key = overdue?.default;
  const keys = options.map((it) => it.key);
  if (key !== undefined && keys.length > 0 && !keys.includes(key))
    report(at("default"), `there is no option "${key}"`, () => insteadOf(key, keys));
}

function checkAgentDefault({ overdue, at }: Said, report: Report): void {
  const why = overdue?.default === undefined ? null : whyNoAgentDefault(overdue.default);
  if (why !== null) report(at("default"), why.message, why.hint);
}

const SOURCES = ["idle", "dead", "error", "gate", "approval", "question", "plan"] as const satisfies Source[];
const EXPECTED = [null, "reply", "restart"] as const;

/** Every option that a question about an agent may have, besides those that the agent itself offers. */
function agentOptions(): Option[] {
  return SOURCES.flatMap((source) => EXPECTED.flatMap((it) => optionsFor(source, null, "job", it)));
}

/** Null if some question about an agent has an option of this name that may be chosen unseen. */
function whyNoAgentDefault(key: string): { message: string; hint?: string; isUnknown?: true } | null {
  if (/^[1-9]$/.test(key)) return null; // what the agent offers
  const options = agentOptions();
  const named = options.filter((it) => it.key === key);
  const whys = named.map(({ action }) => whyNoDefault(action, false));
  if (whys.includes(null)) return null;
  const [why] = whys;
  if (why) return { message: `"${key}" can't be the default: it ${why}` };
  const keys = options.filter(({ action }) => whyNoDefault(action, false) === null).map((it) => it.key);
  const message = `no decision has an option "${key}"`;
  return { message, hint: insteadOf(key, new Set(keys)), isUnknown: true };
}
