/** The processes of a step: which they are, wherever they went, and how all of them are ended. */
import { setImmediate as nextLoop } from "node:timers/promises";
import type { RunId } from "../../core/model/ids.ts";
import { atMost } from "../system/at-most.ts";
import type { Process, Processes } from "./list.ts";

export interface StepProcesses {
  run_id: RunId;
  /** Its script files: the shell that runs one has it in its command. */
  scripts: string[];
  /** The shells that said they had begun, and when, in seconds since boot. */
  leaders: { pid: number; began_s: number }[];
}

/** A shell says that it has begun within this time of its start. */
const SLACK_S = 10;

/**
 * Everything that was started for this run and still lives. A process carries the run in its environment, also in a session of
 * its own; whoever shares a group with one belongs to it. One without that mark is ours where it is in the group of a shell
 * that is gone or can't be read, and as old as it should be: a number that went to a stranger is told by its age.
 */
export function processesOf(all: Processes, step: StepProcesses, self: number): Process[] {
  const groups = new Set((all.byRun.get(step.run_id) ?? []).filter(isAlive).map((it) => it.group));
  for (const it of all.unmarked)
    if (step.scripts.some((script) => it.command.includes(script))) groups.add(it.group);
  for (const { pid, began_s } of step.leaders) {
    const shell = all.byPid.get(pid);
    const members = all.byGroup.get(pid) ?? [];
    const isTheirs =
      shell && isAlive(shell)
        ? shell.run === undefined && isNear(shell, began_s)
        : members.some((it) => it.session === pid && isAfter(it, began_s));
    if (isTheirs) groups.add(pid);
  }
  // We are never among them: a step may have started the daemon that now ends the step.
  groups.delete(all.byPid.get(self)?.group ?? 0);
  return [...groups].flatMap((it) => all.byGroup.get(it) ?? []).filter(isAlive);
}

function isAlive({ state }: Process): boolean {
  return !/^[ZX]/.test(state);
}

function isNear({ began_s }: Process, then_s: number): boolean {
  return began_s !== null && began_s <= then_s + 1 && began_s >= then_s - SLACK_S;
}

function isAfter({ began_s }: Process, then_s: number): boolean {
  return began_s !== null && began_s >= then_s - SLACK_S;
}

/** Hundreds of runs get the result of a look at the same moment; other callers must be able to get in between. */
const atMostEight = atMost(8);

/** With growing pauses; every look is shared with everyone else who waits. */
const PAUSES_MS = [20, 50, 100, 200, 400, 800];

/** Kills all of it and returns when a look found nothing left. Throws if that takes too long: then it is not gone. */
export async function killStep(
  step: StepProcesses,
  look: () => Promise<Processes>,
  withinMs = 10_000,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  for (let round = 0; ; round++) {
    const left = processesOf(await look(), step, process.pid);
    if (left.length === 0) return;
    await atMostEight(async () => {
      for (const group of new Set(left.map((it) => it.group))) signalGroup(group, "SIGKILL");
      await nextLoop();
    });
    if (performance.now() > deadline) throw new Error(`still running: ${left.map(describe).join(", ")}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSES_MS[Math.min(round, PAUSES_MS.length - 1)]));
  }
}

function describe({ pid, state, run }: Process): string {
  if (state.startsWith("D")) return `process ${pid}, which can't be interrupted right now`;
  return run === undefined ? `process ${pid}, which belongs to another user` : `process ${pid}`;
}

/** False only if there is no such group (any more). One that we may not signal still exists. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
