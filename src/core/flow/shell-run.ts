/** The script that a job must run at its current step, with the values kept apart from the text. */
import type { ShellRun } from "../model/effects.ts";
import type { Job } from "../model/job-types.ts";
import { stepOf } from "../model/job-types.ts";
import { interpolate } from "../script/interpolate.ts";
import { shellText } from "../script/shell-text.ts";
import { scopeOf } from "./scope.ts";

/** Bytes of a step's output that later steps see as `${step.x.output}`. */
const STEP_OUTPUT_BYTES = 16_384;

/** What the current step runs: its shell script, or the context command of its decision. Null if it runs nothing. */
export function shellRunOf(job: Job): ShellRun | null {
  const def = job.def.steps.find((it) => it.name === job.step);
  if (!def) return null;
  const { run_id } = stepOf(job, def.name);
  if (run_id === null) return null;
  const purpose = def.run.type === "shell" ? "step" : "context";
  const text =
    def.run.type === "shell"
      ? def.run.script
      : def.run.type === "decision"
        ? def.run.decision.context
        : undefined;
  if (text === undefined) return null;
  const scope = scopeOf(job);
  const env = Object.fromEntries(
    Object.entries(def.env).map(([name, value]) => [name, interpolate(value, scope)]),
  );
  const cwd = job.workspace?.path ?? job.cwd;
  return {
    job_id: job.id,
    project: job.project,
    step: def.name,
    run_id,
    purpose,
    ...shellText(text, scope, def.env),
    env,
    cwd,
    origin: job.origin,
    timeout_ms: purpose === "step" ? null : job.context_timeout_ms,
    keep_bytes: purpose === "step" ? STEP_OUTPUT_BYTES : job.context_max_bytes,
  };
}
