/** Ends process groups: politely, then not. Only groups that we started, named by the pid of their leader. */
import type { Processes } from "./process-list.ts";
import { sharedLook } from "./process-list.ts";
import { signalGroup } from "./step-processes.ts";

const look = sharedLook();

/** Asks the group to end and kills it after `graceMs`. False when something of it is still there: it can't be ended now. */
export async function endGroup(pid: number, graceMs: number): Promise<boolean> {
  if (!signalGroup(pid, "SIGTERM")) return true;
  signalGroup(pid, "SIGCONT"); // a stopped process hears that it should end only when it goes on
  if (await isGone(pid, graceMs)) return true;
  return killGroup(pid);
}

export async function killGroup(pid: number): Promise<boolean> {
  return !signalGroup(pid, "SIGKILL") || (await isGone(pid, 5000));
}

/** Waits until the group is gone, in growing steps. Processes that are dead but not collected by their parent count as gone. */
export async function isGone(pid: number, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  for (let pause = 2; ; pause = Math.min(pause * 2, 100)) {
    if (!signalGroup(pid, 0)) return true;
    if (pause >= 16 && isDead(await look(), pid)) return true;
    if (performance.now() >= deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

function isDead({ byGroup }: Processes, group: number): boolean {
  const own = byGroup.get(group) ?? [];
  return own.length > 0 && own.every((it) => /^[ZX]/.test(it.state));
}
