/** Templates: a reusable decision shape, and the check that its context says enough to decide. */
import { Refusal } from "./errors.ts";
import type { DecisionDef, RequiredContext, Template } from "./runbook.ts";

/** A decision step with what its template adds: own words win, the template fills the gaps. */
export function withTemplate(
  def: DecisionDef,
  template: Template | undefined,
): DecisionDef & { required: RequiredContext[] } {
  if (!template) return { ...def, required: [] };
  const prompt = def.prompt ?? template.prompt_hint;
  const urgency = def.urgency ?? template.urgency;
  return {
    ...def,
    ...(prompt === undefined ? {} : { prompt }),
    ...(urgency === undefined ? {} : { urgency }),
    options: def.options.length > 0 ? def.options : template.options,
    required: template.required_context,
  };
}

/** Refuses a context that lacks what the template demands, naming all of it at once with an example. */
export function checkContext(template: Template, fields: Record<string, unknown>): void {
  const problems = template.required_context.flatMap((it) => {
    const problem = problemOf(it, fields[it.key]);
    return problem ? [problem] : [];
  });
  if (problems.length === 0) return;
  throw new Refusal(
    "template.context-missing",
    `template "${template.name}" needs more context: ${problems.join("; ")}`,
    `${template.prompt_hint ? `${template.prompt_hint}. ` : ""}For example: --context '${JSON.stringify(exampleContext(template))}'`,
    {
      template: template.name,
      problems,
      missing: template.required_context.filter((it) => problemOf(it, fields[it.key])).map((it) => it.key),
    },
  );
}

export function exampleContext(template: Pick<Template, "required_context">): Record<string, unknown> {
  return Object.fromEntries(
    template.required_context.map(({ key, min }) => [
      key,
      min === undefined ? "…" : Array.from({ length: Math.max(1, min) }, () => "…"),
    ]),
  );
}

function problemOf({ key, min }: RequiredContext, value: unknown): string | null {
  if (isEmpty(value))
    return min === undefined ? `"${key}" is missing` : `"${key}" is missing (a list of at least ${min})`;
  if (min === undefined) return null;
  if (!Array.isArray(value)) return `"${key}" must be a list`;
  return value.length < min ? `"${key}" has ${value.length} of at least ${min} entries` : null;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === "string") return value.trim() === "";
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === "object" && Object.keys(value).length === 0;
}
