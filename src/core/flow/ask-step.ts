/** Turns a decision step into a pending decision with its prompt, context and options. */

import type { Option } from "../model/decision-types.ts";
import { Refusal } from "../model/errors.ts";
import type { JobId } from "../model/ids.ts";
import type { Job } from "../model/job-types.ts";
import type { OptionDef, StepDef } from "../model/runbook.ts";
import type { Draft } from "../model/state/draft.ts";
import { interpolate } from "../script/interpolate.ts";
import { MAX_STEP_OPTIONS, stepOption } from "../template/options.ts";
import { overdueFields } from "../template/overdue.ts";
import { ruledFields, ruleOf } from "../template/rule.ts";
import { checkContext, withTemplate } from "../template/template.ts";
import { fieldsText } from "../text/fields-text.ts";
import { scopeOf } from "./scope.ts";

/** How the context command went. A failure is shown with the decision, never hidden. */
export interface ContextOutcome {
  output: string;
  error: string | null;
}

export function askStep(draft: Draft, id: JobId, context: ContextOutcome | null): void {
  const job = draft.job(id);
  const def = job.def.steps.find((it) => it.name === job.step);
  if (def?.run.type !== "decision") throw new Error(`${id} is at no decision step`);
  const scope = scopeOf(job);
  const fill = (text: string) => interpolate(text, scope);
  const template =
    def.run.decision.template === undefined ? undefined : job.library.templates[def.run.decision.template];
  const asked = withTemplate(def.run.decision, template);
  const said = context ? contextText(context) : asked.text === undefined ? "" : fill(asked.text);
  const own = ownFields(asked.fields ?? {}, fill);
  const fields = { ...fieldsOf(context ? context.output : said), ...own };
  const text = withFields(said, own);
  if (template) checkContext(template, fields);
  if (asked.options.length === 0 || asked.options.length > MAX_STEP_OPTIONS) {
    throw new Refusal(
      "job.invalid",
      `step "${def.name}" must offer 1 to ${MAX_STEP_OPTIONS} options; it has ${asked.options.length}`,
    );
  }
  const decision_id = draft.moment.id("dec");
  const options = asked.options.map((it) => ending(stepOption(filled(it, fill)), job, def));
  draft.emit({
    type: "decision:created",
    id: decision_id,
    project: job.project,
    owner: { kind: "job", id, name: job.name, step: def.name },
    job_id: id,
    source: "step",
    title: fill(asked.prompt ?? `Step "${def.name}" asks for a decision`),
    context: text,
    fields,
    urgency: asked.urgency ?? "medium",
    options,
    questions: [],
    action: null,
    requested_by: null,
    template: asked.template ?? null,
    blocks: [],
    parent: null,
    predecessor: null,
    supersedes: null,
    created_at_ms: draft.moment.at_ms,
    ...ruledFields(asked, job.sponsor),
    ...overdueFields([asked, job.def.notify], options, draft.moment.at_ms, ruleOf(asked)),
  });
  draft.emit({
    type: "step:waiting",
    job_id: id,
    project: job.project,
    step: def.name,
    decision_id,
    child_id: null,
  });
}

/** After a step that a failure or a cancellation led to, the job ends, unless the step says where it goes. */
function ending(option: Option, { ending: as }: Job, { on_done }: StepDef): Option {
  const isEnd = option.action.type === "continue" && on_done === undefined;
  if (!isEnd || !as || as.type === "completed") return option;
  return { ...option, action: { type: "continue", ends: as.type } };
}

function filled(option: OptionDef, fill: (text: string) => string): OptionDef {
  return {
    ...option,
    ...(option.label === undefined ? {} : { label: fill(option.label) }),
    ...(option.description === undefined ? {} : { description: fill(option.description) }),
  };
}

function contextText({ output, error }: ContextOutcome): string {
  if (error === null) return output;
  return output === ""
    ? `The context command failed: ${error}`
    : `The context command failed: ${error}\n\n${output}`;
}

/** The step's own fields, with each text filled in. */
function ownFields(
  fields: Record<string, string | readonly string[]>,
  fill: (text: string) => string,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, it]) => [key, typeof it === "string" ? fill(it) : it.map(fill)]),
  );
}

/**
 * What is shown: the text, and below it the step's own fields. Without a text the fields are shown as JSON, like a
 * request's context.
 */
function withFields(text: string, own: Record<string, unknown>): string {
  if (Object.keys(own).length === 0) return text;
  return text.trim() === "" ? JSON.stringify(own, null, 2) : `${text.trimEnd()}\n\n${fieldsText(own)}`;
}

/** Context that is a JSON object can be checked against a template, key by key. */
function fieldsOf(text: string): Record<string, unknown> {
  if (!text.trimStart().startsWith("{")) return {};
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
