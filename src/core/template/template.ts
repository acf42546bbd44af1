/** Templates: a reusable decision shape, and the check that its context says enough to decide. */
import { Refusal } from "../model/errors.ts";
import type { DecisionDef, JobDef, Overdue, RequiredContext, Template } from "../model/runbook.ts";
import { ruleOf } from "./rule.ts";

/** A decision step with what its template adds: the step's own words win, the template fills the gaps. */
export function withTemplate(
  def: DecisionDef,
  template: Template | undefined,
): DecisionDef & { required: readonly RequiredContext[] } {
  if (!template) return { ...def, required: [] };
  const prompt = def.prompt ?? template.prompt_hint;
  const urgency = def.urgency ?? template.urgency;
  return {
    ...overdueOf(template),
    ...ruleOf(template),
    ...def,
    ...(prompt === undefined ? {} : { prompt }),
    ...(urgency === undefined ? {} : { urgency }),
    options: def.options.length > 0 ? def.options : template.options,
    required: template.required_context,
  };
}

/** The job with the options of its templates written out: they say where it may go, as a step's own do. */
export function withTemplateOptions(def: JobDef, templates: ReadonlyMap<string, Template>): JobDef {
  return {
    ...def,
    steps: def.steps.map((step) => {
      if (step.run.type !== "decision" || step.run.decision.options.length > 0) return step;
      const options = templates.get(step.run.decision.template ?? "")?.options ?? [];
      return { ...step, run: { ...step.run, decision: { ...step.run.decision, options } } };
    }),
  };
}

function overdueOf({ escalation, chain, deadline_ms, default: key }: Overdue): Overdue {
  return {
    ...(escalation === undefined ? {} : { escalation }),
    ...(chain === undefined ? {} : { chain }),
    ...(deadline_ms === undefined ? {} : { deadline_ms }),
    ...(key === undefined ? {} : { default: key }),
  };
}

/** Refuses a step's context that lacks what the template requires. */
export function checkContext(template: Template, fields: Record<string, unknown>): void {
  const lacking = lackingIn(template, fields);
  if (lacking === null) return;
  throw new Refusal(
    "template.context-missing",
    lacking.message,
    `${template.prompt_hint ? `${template.prompt_hint}. ` : ""}For example: '${JSON.stringify(exampleContext(template))}'`,
    lacking.details,
  );
}

/** Everything the context lacks, in one sentence and for programs; null if it says enough. */
export function lackingIn(
  template: Template,
  fields: Record<string, unknown>,
): { message: string; details: { template: string; missing: string[] } } | null {
  const lacking = template.required_context.flatMap((it) => {
    const problem = problemOf(it, Object.hasOwn(fields, it.key) ? fields[it.key] : undefined);
    return problem ? [{ key: it.key, problem }] : [];
  });
  if (lacking.length === 0) return null;
  return {
    message: `template "${template.name}" needs more context: ${lacking.map((it) => it.problem).join("; ")}`,
    details: { template: template.name, missing: lacking.map((it) => it.key) },
  };
}

/** A request that this template accepts, ready to paste into a shell. */
export function exampleRequest(template: Template): string {
  const { prompt, options } = template.example ?? { prompt: "…", options: [] };
  const own = options.length > 0 ? options : ["one: what it means", "other: what it means"];
  const flags = template.options.length > 0 ? [] : own.map((it) => `--option "${it}"`);
  const context =
    template.required_context.length > 0 ? [`--context '${JSON.stringify(exampleContext(template))}'`] : [];
  return ["oj decision request --template", template.name, `--prompt "${prompt}"`, ...flags, ...context].join(
    " ",
  );
}

/** A context that says as much as the template requires. */
export function exampleContext({ required_context, example }: Template): Record<string, unknown> {
  return Object.fromEntries(
    required_context.map(({ key, min }) => [
      key,
      example?.context[key] ?? (min === undefined ? "…" : Array.from({ length: min }, () => "…")),
    ]),
  );
}

function problemOf({ key, min }: RequiredContext, value: unknown): string | null {
  if (isEmpty(value))
    return min === undefined ? `"${key}" is missing` : `"${key}" is missing (a list of at least ${min})`;
  if (min === undefined) return null;
  if (!Array.isArray(value)) return `"${key}" must be a list`;
  const said = value.filter((it) => !isEmpty(it)).length;
  return said < min ? `"${key}" has ${said} of at least ${min} entries` : null;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === "string") return value.trim() === "";
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === "object" && Object.keys(value).length === 0;
}
