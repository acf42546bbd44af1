/** The closed list of chores for the outside. Imperative; the outcome of each comes back as a fact. */
import type { Workspace } from "./events.ts";
import type { JobId, RunId } from "./ids.ts";
import type { WorkspaceDef } from "./runbook.ts";

export type Effect =
  | { type: "make-workspace"; job_id: JobId; project: string; workspace: WorkspaceDef; root: string }
  | { type: "remove-workspace"; job_id: JobId; project: string; workspace: Workspace }
  | ({ type: "run-shell" } & ShellRun)
  | { type: "stop-shell"; job_id: JobId; project: string; run_id: RunId }
  | { type: "purge-job"; job_id: JobId; project: string; workspace: Workspace | null };

/** A script to run: of a step, or the context command of a decision step. */
export interface ShellRun {
  job_id: JobId;
  project: string;
  step: string;
  run_id: RunId;
  purpose: "step" | "context";
  script: string;
  /** Interpolated values, carried as shell variables. */
  values: Record<string, string>;
  env: Record<string, string>;
  cwd: string;
  /** The job whose environment it runs in. */
  origin: JobId;
  timeout_ms: number | null;
  keep_bytes: number;
}

/** One chore has one key: it is never begun twice while it is under way or waits for its retry. */
export function effectKey(effect: Effect): string {
  if (effect.type === "run-shell" || effect.type === "stop-shell") return `${effect.type}:${effect.run_id}`;
  return `${effect.type}:${effect.job_id}`;
}

/** Back-off for a chore that failed: 1 s, 2 s, 4 s … at most 5 minutes. */
export function retryDelayMs(attempt: number): number {
  return Math.min(1000 * 2 ** Math.min(attempt - 1, 20), 300_000);
}
