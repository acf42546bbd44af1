/** The ports of a trial: nothing is run, and no file is touched. */
import type { JobId } from "../core/model/ids.ts";
import type { Job } from "../core/model/job-types.ts";
import type { JobPorts } from "../daemon/engine/perform.ts";
import type { Journal } from "../ports.ts";
import type { Behaviour } from "./script.ts";

/** How long a script takes. */
const SCRIPT_MS = 1000;

export function trialPorts(
  behaviour: Behaviour,
  pause: (ms: number) => Promise<void>,
  jobs: { get(id: JobId): Job | undefined },
): JobPorts {
  return {
    shell: {
      async run({ job_id, run_id, script }) {
        const written = writtenIn(jobs.get(job_id));
        await pause(SCRIPT_MS);
        return { job_id, run_id, error: null, ...behaviour.shell(script, written) };
      },
      stop: async () => {},
      recover: async () => "never-began",
      tookOver: async () => {},
      left: nothing,
      forget: async () => {},
      close: async () => {},
    },
    workspaces: {
      async make(job_id, def, root) {
        const at = { path: `${root}/.oj/workspaces/${job_id}`, start: null };
        return def.type === "git"
          ? { type: "git", ...at, branch: def.branch ?? `oj/${job_id}`, repository: root }
          : { type: "folder", ...at, branch: null, repository: null };
      },
      remove: async () => ({ kept: null }),
    },
    files: {
      write: async () => {},
      read: nothing,
      saveEnv: async () => {},
      loadEnv: async () => ({}),
      bare: nothing,
      purge: async () => {},
    },
    terminals: { kill: async () => {}, purge: async () => {} },
    journal: SILENT,
  };
}

/** What the step that the job is at runs, as the runbook has it. */
function writtenIn(job: Job | undefined): string {
  const run = job?.def.steps.find((it) => it.name === job.step)?.run;
  return run?.type === "shell" ? run.script : run?.type === "decision" ? (run.decision.context ?? "") : "";
}

async function* nothing(): AsyncGenerator<never> {}

const SILENT: Journal = { debug() {}, info() {}, warn() {}, error() {} };
