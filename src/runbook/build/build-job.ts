/** Reads a job's block: its steps, the decisions they ask for, and their options. */

import type { DecisionDef, JobDef, OptionDef, Place, StepDef, StepRun } from "../../core/model/runbook.ts";
import { MAX_STEP_OPTIONS } from "../../core/template/options.ts";
import type { Report, Source } from "../hcl/source.ts";
import { lineOf } from "../hcl/source.ts";
import type { Block } from "../hcl/syntax.ts";
import { nameAt, valueIn } from "../hcl/syntax.ts";
import { readBlock } from "./block.ts";
import { withOverdue } from "./overdue.ts";
import { DECISION, JOB, OPTION, STEP } from "./schema.ts";

/** Something declared, with the block that declares it. */
export interface Declared<T> {
  def: T;
  block: Block;
}

export interface DeclaredJob extends Declared<JobDef> {
  /** The block of each of its steps. */
  steps: Block[];
}

/** More steps than a person would write; some of the checks that follow compare each pair of them. */
const MOST_STEPS = 200;

export function buildJob(block: Block, source: Source, report: Report): DeclaredJob[] {
  const { name, what, values, inner, has } = readBlock(JOB, block, report);
  const { vars = [], defaults = {}, locals = {}, ...rest } = values;
  const steps: { def: StepDef; block: Block }[] = [];
  for (const { block: inside } of inner.slice(0, MOST_STEPS)) {
    const def = buildStep(inside, { path: source.path, line: lineOf(source, inside.at.start) }, report);
    const first = steps.find((it) => it.def.name === def?.name);
    if (first) {
      report(
        nameAt(inside),
        `${what} has two steps called "${first.def.name}"`,
        `the first is on line ${first.def.line}`,
      );
    } else if (def) steps.push({ def, block: inside });
  }
  const tooMany = inner[MOST_STEPS];
  if (tooMany)
    report(tooMany.block.at, `a job can have up to ${MOST_STEPS} steps; this one has ${inner.length}`);
  if (!has("step")) report(block.at, `${what} has no steps`, 'like step "test" { run = "npm test" }');
  if (name === null) return [];
  const line = lineOf(source, block.at.start);
  const named = { path: source.path, line, kind: name, vars, defaults, locals };
  const def = { ...named, ...rest, steps: steps.map((it) => it.def) };
  return [{ def, block, steps: steps.map((it) => it.block) }];
}

function buildStep(block: Block, place: Place, report: Report): StepDef | null {
  const { name, what, values, inner, has } = readBlock(STEP, block, report);
  const { run, depends_on = [], env = {}, ...rest } = values;
  const [asks, another] = inner.map((it) => buildDecision(it.block, report));
  if (another && inner[1]) report(inner[1].block.at, `${what} has two decisions`, "a step asks only one");
  if (valueIn(block, "run") && asks)
    report(block.at, `${what} has both run and decision`, "use only one of them");
  if (!has("run") && !has("decision")) {
    report(block.at, `${what} has nothing to do`, 'give it run = "…" or a decision { … }');
  }
  if (name === null) return null;
  const does: StepRun = asks ? { type: "decision", decision: asks } : (run ?? { type: "shell", script: "" });
  return { ...place, name, run: does, depends_on, env, ...rest };
}

function buildDecision(block: Block, report: Report): DecisionDef {
  const { values, inner, has } = readBlock(DECISION, block, report);
  const options = buildOptions(
    inner.map((it) => it.block),
    report,
  );
  if (!has("prompt") && !has("template")) {
    report(block.at, "decision needs a prompt or a template", 'like prompt = "Ship it?"');
  }
  if (!has("option") && !has("template")) {
    report(block.at, "decision has no options", 'like option "yes" { description = "Ship it" }');
  }
  const text = valueIn(block, "text");
  if (text && valueIn(block, "context")) {
    report(
      text.at,
      "decision has both context and text",
      "context is a shell line, text is shown as it is: use only one",
    );
  }
  return { ...withOverdue(values), options };
}

export function buildOptions(blocks: Block[], report: Report): OptionDef[] {
  const options = new Map<string, OptionDef>();
  let recommended: string | null = null;
  for (const block of blocks.slice(0, MAX_STEP_OPTIONS)) {
    const { name: key, values } = readBlock(OPTION, block, report);
    const action = valueIn(block, "action");
    if (action && valueIn(block, "step"))
      report(action.at, "an option can have a step or an action, not both");
    if (values.recommended && recommended !== null) {
      report(
        valueIn(block, "recommended")?.at ?? block.at,
        `"${recommended}" is already recommended`,
        "only one option can be",
      );
    }
    if (values.recommended) recommended ??= key;
    if (key !== null && options.has(key)) report(nameAt(block), `there are two options called "${key}"`);
    if (key !== null) options.set(key, { key, ...values });
  }
  const tooMany = blocks[MAX_STEP_OPTIONS];
  if (tooMany)
    report(
      tooMany.at,
      `a decision can have up to ${MAX_STEP_OPTIONS} options; this one has ${blocks.length}`,
    );
  return [...options.values()];
}
