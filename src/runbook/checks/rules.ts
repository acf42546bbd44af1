/** Checks rules about who may answer: that enough people are named, and that nothing says yes in their place. */

import type { DecisionDef, Template } from "../../core/model/runbook.ts";
import type { RuleDef } from "../../core/roles/rule.ts";
import { stepOption } from "../../core/template/options.ts";
import { isNo, ruleOf } from "../../core/template/rule.ts";
import { withTemplate } from "../../core/template/template.ts";
import type { Project, ProjectFile } from "../build/project.ts";
import type { Block } from "../hcl/syntax.ts";
import { blocksIn, nameAt, placeIn, valueIn } from "../hcl/syntax.ts";
import type { Known } from "./overdue.ts";

/** `known`: null if nobody asks which groups there are. */
export function checkRules(project: Project, known: Known | null): void {
  for (const file of project.files) {
    for (const { def, steps } of file.jobs)
      def.steps.forEach(({ run }, index) => {
        const step = steps[index];
        const [block] = step ? blocksIn(step, "decision") : [];
        if (run.type !== "decision" || !block) return;
        const inherited = project.templates.get(run.decision.template ?? "");
        const asked = withTemplate(run.decision, inherited);
        checkRule(asked, block, known, file);
        // those of a template are looked at where it stands, unless it takes two people only here
        const isTheirs = run.decision.options.length === 0 && (ruleOf(inherited ?? {})?.min ?? 1) > 1;
        const options = asked.options.filter((it) => it.key !== "cancel"); // said already, whatever it takes
        if (!isTheirs) checkNoes({ ...asked, options }, block, file);
      });
    for (const { def, block } of file.templates) {
      checkRule(def, block, known, file);
      checkNoes(def, block, file);
      checkUnblocking(def, block, file);
    }
  }
}

function checkRule(
  asked: RuleDef & Pick<DecisionDef, "options" | "default">,
  block: Block,
  known: Known | null,
  { report }: ProjectFile,
): void {
  const rule = ruleOf(asked);
  if (!rule) return;
  const { approvers, min = 1 } = rule;
  const people = new Set(approvers?.flatMap((it) => known?.groups.get(it) ?? [it]));
  if (approvers && known !== null && people.size < min)
    report(
      placeIn(block, valueIn(block, "min") ? "min" : "approvers"),
      `${min} people have to say yes, and approvers has ${people.size}`,
      "name more people, or a group of them",
    );
  const option = asked.options.find((it) => it.key === asked.default);
  if (!option) return;
  const { action } = stepOption(option);
  if (isNo(action, null)) return;
  report(
    placeIn(block, valueIn(block, "default") ? "default" : "approvers"),
    `"${option.key}" can't be the default: a rule says who may answer, so a deadline can only say no`,
    'the default must be an option with action = "cancel" or "fail"',
  );
}

/** Where it takes two people, only a no is decided by one. An option that is called so and isn't one would wait for a second. */
function checkNoes(
  { options, ...def }: RuleDef & Pick<DecisionDef, "options">,
  block: Block,
  { warn }: ProjectFile,
): void {
  if ((def.min ?? 1) < 2) return;
  for (const it of options) {
    const { label, action, key } = stepOption(it);
    if (isNo(action, null) || !(READS_AS_NO.test(label) || READS_AS_NO.test(key))) continue;
    const own = blocksIn(block, "option").find((one) => one.labels[0]?.text === key);
    warn(
      own ? nameAt(own) : block.at,
      `option "${key}" reads like a no, but it takes ${def.min} people as a yes does`,
      'write action = "cancel", "fail" or "dismiss", so that the first no decides',
    );
  }
}

/** "No", "No, wait", "Reject it"; not "No downtime", which may well be what is wanted. */
const READS_AS_NO = /^(?:no|nope)(?:[,.:;!].*)?$|^(?:reject|cancel|deny|decline|refuse|abort)\b/i;

function checkUnblocking(def: Template, block: Block, { report }: ProjectFile): void {
  if (def.on_cancel !== "unblock" || !ruleOf(def)) return;
  report(
    placeIn(block, "on_cancel"),
    "work can't be unblocked without an answer where a rule says who may give it",
    'leave it out, or write on_cancel = "keep"',
  );
}
