/** `oj decision templates`: the shapes a request may have, with an example each. */
import type { TemplateView } from "../../api/api.ts";
import { wrap } from "../../text/layout.ts";
import { safe, safeLine } from "../../text/safe.ts";
import type { Style } from "../../text/style.ts";
import { defineCommand } from "../base/command.ts";

export const command = defineCommand({
  name: "decision templates",
  summary: "List the templates a request can use, with examples",
  args: "",
  flags: {},
  examples: [{ run: "oj decision templates", does: "the project's own and the built-in ones" }],
  async run({ client, config, out, json }) {
    const templates = await client.templates({ cwd: config.cwd });
    if (json) return out.json(templates);
    if (templates.length === 0)
      return out.print("this project has no decision templates: add a decision_template block to a runbook");
    out.print(templates.map((it) => templateText(it, out.style, out.width)).join("\n\n"));
  },
});

export function templateText(template: TemplateView, style: Style, width: number): string {
  const needs = template.required_context.map(({ key, min }) =>
    min === undefined ? key : `${key} (a list of ${min} or more)`,
  );
  const facts = [
    template.prompt_hint ?? "",
    needs.length > 0 ? `its context needs: ${needs.join(", ")}` : "",
    template.urgency ? `urgency: ${template.urgency}` : "",
    template.options.length > 0
      ? `options: ${template.options.map((it) => it.label ?? it.key).join(", ")}`
      : "",
  ].filter((it) => it !== "");
  const place = template.path === "" ? "built in" : `${template.path}:${template.line}`;
  return [
    `${style.bold(safeLine(template.name))}  ${style.dim(safeLine(place))}`,
    ...facts.flatMap((it) => wrap(safe(it), width - 2).map((line) => `  ${line}`)),
    // Not wrapped: it is there to be copied.
    `  ${style.cyan(safeLine(template.example))}`,
  ].join("\n");
}
