/** The blocks of a test file → tests, each with its script and what is expected of it. */

import type { Source as Asker } from "../../core/model/decision-types.ts";
import type { JobStatus } from "../../core/model/job-types.ts";
import type { Place } from "../../core/model/runbook.ts";
import type { Report, Source } from "../hcl/source.ts";
import { lineOf } from "../hcl/source.ts";
import type { Block, Item } from "../hcl/syntax.ts";
import { valueIn } from "../hcl/syntax.ts";
import { readBlock } from "./block.ts";
import type { Deed } from "./deeds.ts";
import { readDeed } from "./deeds.ts";
import { insteadOf } from "./shape.ts";
import { TEST, TEST_AGENT, TEST_ANSWER, TEST_EXPECT, TEST_SHELL } from "./trial-schema.ts";

export interface Trial extends Place {
  name: string;
  /** The command and its arguments. */
  run: string | null;
  agents: Record<string, Deed[]>;
  shells: ShellScript[];
  steps: TrialStep[];
}

/** Steps and gates whose script has `part` in it end like this; whatever comes after the last one exits with 0. */
export interface ShellScript {
  part: string;
  exits: number[];
  prints: string;
}

export interface ExpectStep {
  type: "expect";
  line: number;
  decision?: { source?: Asker; title?: string; context?: string; option?: string };
  job?: JobStatus;
  step?: string;
  within?: number;
}

export interface AnswerStep {
  type: "answer";
  line: number;
  choice?: string[][];
  text?: string;
  message?: string;
}

export type TrialStep = ExpectStep | AnswerStep;

export function buildTrials(source: Source, items: Item[], report: Report): Trial[] {
  const trials: Trial[] = [];
  for (const item of items) {
    if (item.type === "attribute" || item.kind !== "test") {
      const name = item.type === "attribute" ? item.name : item.kind;
      report(item.at, `a test file contains only test blocks, not "${name}"`, insteadOf(name, ["test"]));
      continue;
    }
    const trial = buildTrial(source, item, report);
    const first = trial && trials.find((it) => it.name === trial.name);
    if (first) report(item.at, `test "${first.name}" exists already, on line ${first.line}`);
    else if (trial) trials.push(trial);
  }
  return trials;
}

/** The body of a test without its block: a script for `oj runbook simulate`. */
export function buildScript(source: Source, items: Item[], report: Report): Trial | null {
  const at = { start: 0, end: 1 };
  const label = { text: "simulation", at };
  return buildTrial(
    source,
    { type: "block", kind: "test", at, end: source.text.length, labels: [label], items, broken: false },
    report,
    false,
  );
}

function buildTrial(source: Source, block: Block, report: Report, needsRun = true): Trial | null {
  const { name, values, inner, has } = readBlock(TEST, block, report);
  const place = { path: source.path, line: lineOf(source, block.at.start) };
  const trial: Trial = {
    ...place,
    name: name ?? "",
    run: values.run ?? null,
    agents: {},
    shells: [],
    steps: [],
  };
  if (needsRun && !has("run")) report(block.at, "test needs run", 'write run = "COMMAND ARGS"');
  for (const { kind, block: one } of inner) {
    if (kind === "agent") readAgent(trial, one, report);
    else if (kind === "shell") readShell(trial, one, report);
    else trial.steps.push(...readStep(kind, one, lineOf(source, one.at.start), report));
  }
  return name === null ? null : trial;
}

function readAgent(trial: Trial, block: Block, report: Report): void {
  const { name, values } = readBlock(TEST_AGENT, block, report);
  if (name === null || values.does === undefined) return;
  if (Object.hasOwn(trial.agents, name)) report(block.at, `agent "${name}" has a script already`);
  const at = valueIn(block, "does")?.at ?? block.at;
  trial.agents[name] = values.does.flatMap((text) => readDeed(text, at, report) ?? []);
}

function readShell(trial: Trial, block: Block, report: Report): void {
  const { name, values } = readBlock(TEST_SHELL, block, report);
  if (name !== null)
    trial.shells.push({ part: name, exits: values.exits ?? [], prints: values.prints ?? "" });
}

function readStep(kind: string, block: Block, line: number, report: Report): TrialStep[] {
  if (kind === "answer") {
    const { values, has } = readBlock(TEST_ANSWER, block, report);
    if (!["choice", "text", "message"].some(has))
      report(block.at, "answer says nothing", 'write choice = "…", text = "…" or message = "…"');
    return [{ type: "answer", line, ...values }];
  }
  const { values, has } = readBlock(TEST_EXPECT, block, report);
  if (!["decision", "job", "step"].some(has))
    report(block.at, "expect says nothing", 'write decision = { … }, job = "…" or step = "…"');
  return [{ type: "expect", line, ...values }];
}
