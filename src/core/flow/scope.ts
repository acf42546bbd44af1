/** What `${…}` means inside a job: the values that its runbook may name. */

import type { Job } from "../model/job-types.ts";
import type { Value } from "../model/runbook.ts";
import type { Lookup } from "../script/interpolate.ts";

/** Looks a reference up in the job as it is now. Undefined if the job has no such value. */
export function scopeOf(job: Job): Lookup {
  return ({ namespace, path }) => {
    const [first = "", second = ""] = path;
    switch (namespace) {
      case "var":
        return own(job.vars, first);
      case "args":
        return own(job.args, first);
      case "local":
        return own(job.locals, first);
      case "env":
        return own(job.env, first);
      case "invoke":
        return first === "dir" ? job.invoke : undefined;
      case "workspace":
        return workspaceValue(job, first);
      case "job":
        return jobValue(job, first);
      case "step":
        return stepValue(job, first, second);
      case "decision":
        return decisionValue(job, first, second);
      default:
        return undefined;
    }
  };
}

function workspaceValue(job: Job, name: string): string | undefined {
  if (!job.workspace) return undefined;
  if (name === "dir" || name === "root") return job.workspace.path;
  if (name === "branch") return job.workspace.branch ?? "";
  return undefined;
}

function jobValue(job: Job, name: string): string | undefined {
  switch (name) {
    case "id":
    case "name":
    case "kind":
    case "project":
    case "root":
      return job[name];
    case "error":
      return job.ending?.type === "failed" ? job.ending.error : "";
    case "message":
      return job.message ?? "";
    default:
      return undefined;
  }
}

function stepValue(job: Job, name: string, field: string): string | undefined {
  const step = job.steps.find((it) => it.name === name);
  if (!step) return undefined;
  switch (field) {
    case "status":
      return step.status;
    case "output":
      return step.output;
    case "error":
      return step.error ?? "";
    case "exit_code":
      return step.exit_code === null ? "" : String(step.exit_code);
    default:
      return undefined;
  }
}

function decisionValue(job: Job, name: string, field: string): string | undefined {
  const step = job.steps.find((it) => it.name === name);
  if (!step) return undefined;
  if (!["choice", "number", "label", "message", "by"].includes(field)) return undefined;
  return step.choice?.[field as keyof NonNullable<typeof step.choice>] ?? "";
}

/** An own property only: a runbook that says `${var.constructor}` must not find JavaScript's. */
function own<T extends Value>(values: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}
