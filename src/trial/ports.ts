/** The ports of a trial: nothing is run, and no file is touched. */
import type { JobId } from "../core/model/ids.ts";
import type { Job } from "../core/model/job-types.ts";
import { exampleContext } from "../core/template/template.ts";
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
        const known = { text: script, ...knownOf(jobs.get(job_id)) };
        await pause(SCRIPT_MS);
        return { job_id, run_id, error: null, ...behaviour.shell(known) };
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

/** What a script of which nothing is said prints. Nothing at all would be less than most decisions need. */
const SOMETHING = "…";

/** What the step that the job is at runs, and what that prints: for a template, what the template requires. */
function knownOf(job: Job | undefined): { written: string; prints: string } {
  const run = job?.def.steps.find((it) => it.name === job.step)?.run;
  if (run?.type === "shell") return { written: run.script, prints: SOMETHING };
  if (run?.type !== "decision") return { written: "", prints: SOMETHING };
  const { context = "", template: name } = run.decision;
  const template = name === undefined ? undefined : job?.library.templates[name];
  const needs = template?.required_context.length ? JSON.stringify(exampleContext(template)) : SOMETHING;
  return { written: context, prints: needs };
}

async function* nothing(): AsyncGenerator<never> {}

const SILENT: Journal = { debug() {}, info() {}, warn() {}, error() {} };
