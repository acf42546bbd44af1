/** Syntax tree → what a runbook declares. It looks at one file only; checks across files are in ../checks. */

import type { Irreversible, Policy } from "../../core/model/policy-types.ts";
import type { AgentDef, Command, Place, RequestPolicy, Template } from "../../core/model/runbook.ts";
import { suggest } from "../../core/text/suggest.ts";
import type { Report, Source } from "../hcl/source.ts";
import { lineOf } from "../hcl/source.ts";
import type { Block, Item } from "../hcl/syntax.ts";
import { spanIn, valueIn } from "../hcl/syntax.ts";
import { readArgs } from "./args.ts";
import { readBlock } from "./block.ts";
import type { Declared, DeclaredJob } from "./build-job.ts";
import { buildJob, buildOptions } from "./build-job.ts";
import { buildIrreversible, buildPolicy } from "./build-policy.ts";
import type { DeclaredEscalation } from "./overdue.ts";
import { checkTimes, escalationDef, levelDef, withOverdue } from "./overdue.ts";
import { AGENT, COMMAND, ESCALATION, LEVEL, REQUESTS, TEMPLATE, TOP_BLOCKS } from "./schema.ts";
import { insteadOf } from "./shape.ts";

export interface Declarations {
  commands: Declared<Command>[];
  jobs: DeclaredJob[];
  agents: Declared<AgentDef>[];
  templates: Declared<Template>[];
  escalations: DeclaredEscalation[];
  requests: Declared<RequestsDef>[];
  policies: Declared<Policy>[];
  irreversible: Declared<Irreversible>[];
}

export interface RequestsDef extends Place, Partial<RequestPolicy> {
  builtin_templates?: boolean;
}

export function build(source: Source, items: Item[], report: Report): Declarations {
  const found: Declarations = {
    commands: [],
    jobs: [],
    agents: [],
    templates: [],
    escalations: [],
    requests: [],
    policies: [],
    irreversible: [],
  };
  for (const item of items) {
    if (item.type === "attribute") {
      report(
        item.at,
        `"${item.name}" is outside any block`,
        `a file contains ${Object.keys(TOP_BLOCKS).join(", ")} blocks`,
      );
      continue;
    }
    const place = { path: source.path, line: lineOf(source, item.at.start) };
    switch (topKind(item, report)) {
      case "command":
        found.commands.push(...buildCommand(item, place, report));
        break;
      case "job":
        found.jobs.push(...buildJob(item, source, report));
        break;
      case "agent":
        found.agents.push(...buildAgent(item, place, report));
        break;
      case "decision_template":
        found.templates.push(...buildTemplate(item, place, report));
        break;
      case "escalation":
        found.escalations.push(...buildEscalation(item, place, report));
        break;
      case "requests":
        found.requests.push({ def: { ...place, ...readBlock(REQUESTS, item, report).values }, block: item });
        break;
      case "policy":
        found.policies.push(...buildPolicy(item, source, report));
        break;
      case "irreversible":
        found.irreversible.push(...buildIrreversible(item, source, report));
        break;
    }
  }
  return found;
}

/** A misspelled kind is read as what was meant, so that more problems are found at once. */
function topKind(block: Block, report: Report): string | null {
  if (Object.hasOwn(TOP_BLOCKS, block.kind)) return block.kind;
  const kinds = Object.keys(TOP_BLOCKS);
  const isStep = block.kind === "step" || block.kind === "decision" || block.kind === "option";
  const hint = isStep
    ? `${block.kind} belongs inside a ${block.kind === "step" ? "job" : "step"}`
    : insteadOf(block.kind, kinds);
  report(block.at, `"${block.kind}" is not a top-level block`, hint);
  return suggest(block.kind, kinds);
}

function buildCommand(block: Block, place: Place, report: Report): Declared<Command>[] {
  const { name, values } = readBlock(COMMAND, block, report);
  const { args = "", defaults = {}, run = { type: "shell", script: "" }, ...rest } = values;
  const written = valueIn(block, "args");
  const read = readArgs(args, (start, end, message, hint) => {
    if (written?.type === "string") report(spanIn(written, start, end), message, hint);
  });
  if (name === null) return [];
  const usage = args.trim().replaceAll(/\s+/g, " ");
  return [{ def: { ...place, name, usage, args: read, defaults, run, ...rest }, block }];
}

function buildAgent(block: Block, place: Place, report: Report): Declared<AgentDef>[] {
  const { name, what, values } = readBlock(AGENT, block, report);
  const { run = "", env = {}, prime = {}, prompts = [], idle_after, hung_after, ...rest } = values;
  const file = valueIn(block, "prompt_file");
  if (file && valueIn(block, "prompt"))
    report(file.at, `${what} has both prompt and prompt_file`, "use only one of them");
  if (name === null) return [];
  const limits = {
    ...(idle_after === undefined ? {} : { idle_after_ms: idle_after }),
    ...(hung_after === undefined ? {} : { hung_after_ms: hung_after }),
  };
  return [{ def: { ...place, name, run, env, prime, prompts, ...rest, ...limits }, block }];
}

function buildTemplate(block: Block, place: Place, report: Report): Declared<Template>[] {
  const { name, values, inner } = readBlock(TEMPLATE, block, report);
  const { required_context = [], ...rest } = values;
  const options = buildOptions(
    inner.map((it) => it.block),
    report,
  );
  const def = { ...place, required_context, ...withOverdue(rest), options };
  return name === null ? [] : [{ def: { ...def, name }, block }];
}

function buildEscalation(block: Block, place: Place, report: Report): DeclaredEscalation[] {
  const { name, what, values, inner, has } = readBlock(ESCALATION, block, report);
  const levels = inner.map((it) => it.block);
  const read = levels.map((it) => levelDef(readBlock(LEVEL, it, report).values));
  if (!has("level")) report(block.at, `${what} has no levels`, 'like level { notify = ["ana"] }');
  if (values.default !== undefined && values.deadline === undefined && !block.broken)
    report(block.at, `${what} has a default but no deadline`, 'like deadline = "4h"');
  if (name === null) return [];
  const declared = { def: escalationDef({ ...place, ...values, name }, read), block, levels };
  checkTimes(declared, report);
  return [declared];
}
