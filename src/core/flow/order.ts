/**
 * The order of a job's steps: which one comes next by itself, and which ones stand aside. What an outcome does is in
 * `job-flow.ts`.
 */

import type { JobDef, Route, StepDef } from "../model/runbook.ts";

/** The first step in file order that doesn't stand aside, after the given step or from the beginning. */
export function nextInOrder(def: JobDef, after: string | null): string | null {
  const from = after === null ? 0 : indexOf(def, after) + 1;
  const next = def.steps.slice(from).find((step) => !standsAside(def, step.name));
  return next?.name ?? null;
}

/**
 * Whether normal order passes over this step. It does if the step is named as a target, but only by the `on_fail` or
 * `on_cancel` of an earlier step or by a route of the job. A step that names itself (a retry) doesn't count.
 */
export function standsAside(def: JobDef, name: string): boolean {
  const at = indexOf(def, name);
  const others = def.steps.flatMap((step, index) => (index === at ? [] : namings(step, index < at)));
  const ofJob = [def.on_done, def.on_fail, def.on_cancel].flatMap((route) => naming(route, "aside"));
  const own = [...others, ...ofJob].filter((one) => one.step === name);
  return own.length > 0 && own.every((one) => one.as === "aside");
}

interface Naming {
  step: string;
  as: "aside" | "ahead";
}

function namings(step: StepDef, earlier: boolean): Naming[] {
  const options = step.run.type === "decision" ? step.run.decision.options : [];
  return [
    ...naming(step.on_done, "ahead"),
    ...naming(step.on_fail, earlier ? "aside" : "ahead"),
    ...naming(step.on_cancel, earlier ? "aside" : "ahead"),
    ...options.flatMap((option): Naming[] => (option.step ? [{ step: option.step, as: "ahead" }] : [])),
  ];
}

function naming(route: Route | undefined, as: Naming["as"]): Naming[] {
  return route ? [{ step: route.step, as }] : [];
}

function indexOf(def: JobDef, name: string): number {
  return def.steps.findIndex((step) => step.name === name);
}
