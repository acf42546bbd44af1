/**
 * What is wrong with a script before any value is known: places
 * where no value is allowed. `oj runbook check` reports it.
 */
import { Refusal } from "../model/errors.ts";
import { specialVariable } from "./faults.ts";
import { lexScript } from "./grammar.ts";
import type { Hole } from "./hole.ts";
import { HOLE } from "./hole.ts";
import { splitText } from "./interpolate.ts";
import { holesOf } from "./shell-text.ts";
import { isSpecial } from "./variables.ts";

export interface ScriptProblem {
  /** The place in the script, or the variable that comes from outside. */
  at: { start: number; end: number } | { variable: string };
  message: string;
  hint: string;
}

/**
 * `outside` names the variables that hold values; `isLate` says
 * that those values are not checked again when the script runs.
 */
export function scriptProblems(text: string, outside: readonly string[], isLate = false): ScriptProblem[] {
  const parts = splitText(text);
  const references = parts.filter((it) => typeof it !== "string");
  const problems: ScriptProblem[] = outside.filter(isSpecial).map((variable) => {
    const { sentence, hint } = specialVariable(variable);
    return { at: { variable }, message: `the value of ${variable} ${sentence}`, hint };
  });
  if (references.length + outside.length === 0 || references.some((it) => it.problem !== undefined))
    return problems;
  try {
    const read = lexScript(parts.map((it) => (typeof it === "string" ? it : HOLE)).join(""), outside);
    holesOf(read).forEach((hole, index) => {
      const reference = references[index];
      if (!hole.fault || !reference || hole.place === "comment") return;
      const { sentence, hint } = hole.fault;
      problems.push({ at: reference, message: `${reference.raw} ${sentence}`, hint });
    });
    for (const [variable, hole] of read.outside) problems.push(...outsideProblem(variable, hole, isLate));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    problems.push(unclearProblem(text, error));
  }
  return problems;
}

function outsideProblem(variable: string, { fault, needs }: Hole, isLate: boolean): ScriptProblem[] {
  const message = `the value of ${variable} ${fault?.sentence ?? "reaches bash arithmetic"}`;
  const hint = fault?.hint ?? "use a reference in the script itself: its value is checked";
  return fault || (isLate && needs.size > 0) ? [{ at: { variable }, message, hint }] : [];
}

function unclearProblem(text: string, { message, hint, details }: Refusal): ScriptProblem {
  const line = Number(details?.line ?? 1);
  const lines = text.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, it) => sum + it.length + 1, 0);
  const end = start + Math.max(1, lines[line - 1]?.length ?? 1);
  return { at: { start, end }, message: message.replace(/\.$/, ""), hint: hint ?? "" };
}
