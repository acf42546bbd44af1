/** Does the chores: one short case each and no policy. Their outcomes are recorded as facts. */

import type { ShellOutcome } from "../../core/control/job.ts";
import {
  ownerPurged,
  shellEnded,
  workspaceFailed,
  workspaceMade,
  workspaceRemoved,
} from "../../core/control/job.ts";
import { releaseAnswer } from "../../core/decision/give.ts";
import type { AgentEffect, Effect, MirrorEffect, ReachEffect, ShellRun } from "../../core/model/effects.ts";
import type { JobId, RunId } from "../../core/model/ids.ts";
import { grownOld } from "../../core/request/age.ts";
import type { Ports } from "../../ports.ts";
import type { Recorder } from "./chores.ts";
import { heading } from "./job-log.ts";

export interface Performer {
  perform(effect: Effect, record: Recorder): Promise<void>;
  /** Names the runs that were in progress when the last daemon ended. Those that had begun are not begun again. */
  recovering(effects: readonly Effect[]): void;
}

/** What chores of jobs need. */
export type JobPorts = Pick<Ports, "shell" | "workspaces" | "files" | "journal"> & {
  terminals: Pick<Ports["terminals"], "kill" | "purge">;
};

export function performer(
  ports: JobPorts,
  baseEnv: Readonly<Record<string, string>>,
  agents: (effect: AgentEffect, record: Recorder) => Promise<void>,
  /** The mark of the agent whose work a job's scripts may run; null if there is none. */
  markOf: (job_id: JobId) => Promise<number | null> = async () => null,
  reach: (effect: ReachEffect, record: Recorder) => Promise<void> = async () => {},
  mirror: (effect: MirrorEffect, record: Recorder) => Promise<void> = async () => {},
): Performer {
  const { shell, workspaces, files, journal, terminals } = ports;
  /** Runs of the previous daemon that have not been checked yet. */
  const inherited = new Set<RunId>();
  /** Those of them whose outcome is not recorded yet. */
  const unsettled = new Set<RunId>();
  let count = 0;
  let began_ms = 0;
  /** Runs of this daemon, from before their script starts until it has ended. */
  const underWay = new Map<RunId, { stopped: boolean; ended: Promise<unknown> }>();

  /**
   * A run is checked until the check succeeds. While its processes may still exist, it is neither begun again nor
   * called failed.
   */
  async function recovered(run_id: RunId): Promise<"never-began" | "began"> {
    if (!inherited.has(run_id)) return "never-began";
    const found = await shell.recover(run_id);
    inherited.delete(run_id);
    if (inherited.size === 0)
      journal.info("took over what the last daemon left", {
        runs: count,
        ms: Math.round(performance.now() - began_ms),
      });
    return found;
  }

  async function settled(run_id: RunId): Promise<void> {
    if (unsettled.delete(run_id) && unsettled.size === 0) await tookOver();
  }

  /** If that can't be kept, the next daemon is only more careful than it had to be. */
  function tookOver(): Promise<void> {
    return shell
      .tookOver()
      .catch((error: Error) =>
        journal.warn("it could not be noted that everything was taken over", { error: error.message }),
      );
  }

  async function perform(effect: Effect, record: Recorder): Promise<void> {
    switch (effect.type) {
      case "make-workspace": {
        const made = await workspaces
          .make(effect.job_id, effect.workspace, effect.root)
          .catch((error: Error) => error);
        if (made instanceof Error) {
          const error = made.message;
          await files.write(effect.job_id, `── the workspace could not be created: ${error}\n`);
          await record((state, moment) => workspaceFailed(state, { id: effect.job_id, error }, moment));
        } else
          await record((state, moment) =>
            workspaceMade(state, { id: effect.job_id, workspace: made }, moment),
          );
        return;
      }
      case "remove-workspace": {
        const { kept } = await workspaces.remove(effect.job_id, effect.workspace);
        if (kept)
          await files.write(effect.job_id, `── uncommitted work in the workspace was kept as ${kept}\n`);
        await record((state) => workspaceRemoved(state, { id: effect.job_id, kept }));
        return;
      }
      case "run-shell": {
        const outcome = await begin(effect);
        await record((state, moment) => shellEnded(state, outcome, moment));
        await settled(effect.run_id);
        await shell.forget(effect.run_id);
        return;
      }
      case "stop-shell":
        return stopShell(effect, record);
      case "release-answer":
        await record((state, moment) => releaseAnswer(state, { id: effect.decision_id }, moment));
        return;
      case "mark-stale":
      case "auto-close":
        await record((state, moment) => grownOld(state, effect, moment));
        return;
      case "route":
      case "tell":
      case "escalate":
      case "expire":
        return reach(effect, record);
      case "mirror":
        return mirror(effect, record);
      case "purge-job":
        for (const id of effect.agents ?? []) {
          await terminals.kill(id); // an agent whose work is over may not be gone yet
          await terminals.purge(id);
        }
        if (effect.workspace) await workspaces.remove(effect.job_id as JobId, effect.workspace);
        await files.purge(effect.job_id);
        await record((state) => ownerPurged(state, { id: effect.job_id }));
        return;
      default:
        return agents(effect, record);
    }
  }

  async function begin(run: ShellRun): Promise<ShellOutcome> {
    const own: { stopped: boolean; ended: Promise<unknown> } = { stopped: false, ended: Promise.resolve() };
    underWay.set(run.run_id, own);
    const ending = runShell(run, () => own.stopped).finally(() => underWay.delete(run.run_id));
    own.ended = ending.catch(() => undefined);
    return ending;
  }

  async function runShell(run: ShellRun, isStopped: () => boolean): Promise<ShellOutcome> {
    const { job_id, run_id } = run;
    if ((await recovered(run_id)) === "began" && run.purpose === "step") {
      const error = "interrupted: the daemon ended while this step was running; it was not run again";
      await files.write(job_id, `── ${run.step}: ${error}\n`);
      return { job_id, run_id, exit_code: null, error, output: "" };
    }
    const isStep = run.purpose === "step";
    await files.write(job_id, heading(run.step, isStep ? "" : "context"));
    const env = {
      ...((await files.loadEnv(run.origin)) ?? baseEnv),
      OJ_JOB: job_id,
      OJ_PROJECT: run.project,
      OJ_STEP: run.step,
    };
    if (isStopped()) return { job_id, run_id, exit_code: null, error: "cancelled", output: "" };
    const outcome = await shell.run(run, {
      env,
      mark: await markOf(job_id),
      timeoutMs: run.timeout_ms,
      keepBytes: run.keep_bytes,
      keep: isStep ? "tail" : "head",
      onOutput: (part) => files.write(job_id, part),
    });
    const [how] = (outcome.error ?? `exit code ${outcome.exit_code}`).split("\n"); // its output is above this line
    await files.write(job_id, `── ${run.step}: ${how}\n`);
    journal.debug("shell ended", { job_id, step: run.step, run_id, how });
    return outcome;
  }

  /** Ends a run in progress before recording that. A run that an earlier daemon left is ended here. */
  async function stopShell(effect: Extract<Effect, { type: "stop-shell" }>, record: Recorder): Promise<void> {
    const { job_id, run_id } = effect;
    const own = underWay.get(run_id);
    if (own) {
      own.stopped = true;
      await shell.stop(run_id);
      await own.ended;
    } else await recovered(run_id);
    const outcome: ShellOutcome = { job_id, run_id, exit_code: null, error: "cancelled", output: "" };
    await record((state, moment) => shellEnded(state, outcome, moment));
    await settled(run_id);
    await shell.forget(run_id);
  }

  return {
    perform,
    recovering(effects) {
      for (const effect of effects)
        if (effect.type === "run-shell" || effect.type === "stop-shell") inherited.add(effect.run_id);
      for (const it of inherited) unsettled.add(it);
      count = inherited.size;
      began_ms = performance.now();
      if (count === 0) void tookOver();
    },
  };
}
