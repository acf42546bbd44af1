/** The templates that a project has, from its runbooks. */
import type { TemplateView } from "../api.ts";
import { loadConfig } from "../config.ts";
import { Refusal } from "../core/errors.ts";
import type { Template } from "../core/runbook.ts";
import { suggest } from "../core/suggest.ts";
import { exampleContext } from "../core/template.ts";
import { loadRunbooks } from "../runbook/load.ts";

export async function templatesOf(cwd: string): Promise<TemplateView[]> {
  const { runbook } = await loadRunbooks(loadConfig({}, cwd).root);
  return runbook.templates.map((it) => ({ ...it, example: exampleOf(it) }));
}

export async function findTemplate(cwd: string, name: string): Promise<Template> {
  const { runbook, problems } = await loadRunbooks(loadConfig({}, cwd).root);
  const found = runbook.templates.find((it) => it.name === name);
  if (found) return found;
  const near = suggest(
    name,
    runbook.templates.map((it) => it.name),
  );
  const hint = near
    ? `did you mean "${near}"?`
    : problems.length > 0
      ? "oj runbook check"
      : "oj decision templates";
  throw new Refusal("template.not-found", `template "${name}" does not exist`, hint);
}

function exampleOf(template: Template): string {
  const options =
    template.options.length > 0 ? "" : ` --option "one: what it means" --option "other: what it means"`;
  const context =
    template.required_context.length > 0 ? ` --context '${JSON.stringify(exampleContext(template))}'` : "";
  return `oj decision request --template ${template.name} --prompt "…"${options}${context}`;
}
