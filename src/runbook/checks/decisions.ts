/** Checks the decisions of steps: a template will get the context it requires, and options do what their names say. */

import type { DecisionDef, OptionDef, Template } from "../../core/model/runbook.ts";
import { lackingIn } from "../../core/template/template.ts";
import type { Project, ProjectFile } from "../build/project.ts";
import type { Block } from "../hcl/syntax.ts";
import { blocksIn, nameAt, placeIn } from "../hcl/syntax.ts";

export function checkDecisions(project: Project): void {
  for (const file of project.files) {
    for (const { def, steps } of file.jobs) {
      def.steps.forEach(({ run }, index) => {
        const [block] = blocksIn(steps[index] ?? NOTHING, "decision");
        if (run.type !== "decision" || !block) return;
        const template = project.templates.get(run.decision.template ?? "");
        checkNames(run.decision, block, template, project, file);
        if (template && !block.broken) checkContext(run.decision, block, template, file);
      });
    }
  }
}

const NOTHING: Block = {
  type: "block",
  kind: "step",
  at: { start: 0, end: 0 },
  end: 0,
  labels: [],
  items: [],
  broken: true,
};

/**
 * What a command prints, or a text with values says, is known only when the question is asked, so it is not checked.
 */
function checkContext(def: DecisionDef, block: Block, template: Template, { report }: ProjectFile): void {
  if (def.context !== undefined || /^\s*\$?\{/.test(def.text ?? "")) return;
  const lacking = lackingIn(template, def.fields ?? {});
  if (lacking === null) return;
  const keys = template.required_context.map(
    ({ key, min }) => `${key} = ${min ? `[${Array(min).fill('"…"').join(", ")}]` : '"…"'}`,
  );
  report(
    placeIn(block, "template"),
    lacking.message,
    `fields = { ${keys.join(", ")} }, or context = a shell line that prints them as JSON`,
  );
}

/** An option named like an action but without one lets the job continue, which is hardly what its name says. */
function checkNames(
  { options }: DecisionDef,
  block: Block,
  template: Template | undefined,
  { files }: Project,
  { warn }: ProjectFile,
): void {
  const own = blocksIn(block, "option");
  for (const it of options.filter(isMisnamed)) {
    const option = own.find((one) => one.labels[0]?.text === it.key);
    warn(option ? nameAt(option) : block.at, ...misnamed(it));
  }
  if (options.length > 0 || !template) return;
  const home = files.find((it) => it.templates.some((one) => one.def === template));
  const declared = home?.templates.find((one) => one.def === template);
  if (!home || !declared) return; // a built-in template says what it does
  for (const it of template.options.filter(isMisnamed)) {
    const option = blocksIn(declared.block, "option").find((one) => one.labels[0]?.text === it.key);
    home.warn(option ? nameAt(option) : declared.block.at, ...misnamed(it));
  }
}

const MISLEADING = ["cancel", "fail", "dismiss"];

function isMisnamed({ key, step, action }: OptionDef): boolean {
  return MISLEADING.includes(key) && step === undefined && action === undefined;
}

function misnamed({ key }: OptionDef): [message: string, hint: string] {
  return [
    `option "${key}" has no action: choosing it lets the job continue`,
    `write action = "${key}" to do what it says, or action = "continue" if you mean that`,
  ];
}
