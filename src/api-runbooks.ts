/** What travels about runbooks: what can be run, what is wrong with them, and running it. */
import type { CrewId, JobId } from "./core/ids.ts";
import type { Problem } from "./core/runbook.ts";

export interface RunBody {
  cwd: string;
  project: string;
  command: string;
  argv: string[];
  named: Record<string, string>;
  /** The environment of the shell that called; kept in a file of the job's own, never in the log. */
  env: Record<string, string>;
}

export type RunResult = { job_id: JobId } | { crew_id: CrewId };

export interface CommandView {
  name: string;
  usage: string;
  description: string | null;
  path: string;
  line: number;
}

export interface CommandList {
  commands: CommandView[];
  problems: Problem[];
}

export interface CheckResult {
  files: string[];
  problems: Problem[];
  /** What is allowed and hardly meant: nothing is refused for it. */
  warnings: Problem[];
}
