/** The text of a test file → its tests and problems. Reading files is up to the caller. */
import type { Problem } from "../core/model/runbook.ts";
import type { Trial } from "./build/trial.ts";
import { buildScript, buildTrials } from "./build/trial.ts";
import { parseFile } from "./compile.ts";
import type { Report } from "./hcl/source.ts";
import { problemsOf } from "./hcl/source.ts";

export type { Deed } from "./build/deeds.ts";
export type { AnswerStep, ExpectStep, ShellScript, Trial } from "./build/trial.ts";

export interface ReadTrials {
  trials: Trial[];
  problems: Problem[];
}

export function readTrials(path: string, text: string): ReadTrials {
  const { source, items, findings } = parseFile(path, text);
  const report: Report = (at, message, hint) => findings.push({ at, message, hint });
  const trials = buildTrials(source, items, report);
  return { trials, problems: problemsOf(source, findings) };
}

/** A script for `oj runbook simulate`: what stands in a test, without the block around it. */
export function readScript(path: string, text: string): { script: Trial | null; problems: Problem[] } {
  const { source, items, findings } = parseFile(path, text);
  const report: Report = (at, message, hint) => findings.push({ at, message, hint });
  const script = buildScript(source, items, report);
  return { script, problems: problemsOf(source, findings) };
}
