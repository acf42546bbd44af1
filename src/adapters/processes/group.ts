/** Ends process groups: politely, then by force. Only groups that we started, named by the pid of their leader. */
import type { Processes } from "./list.ts";
import { sharedLook } from "./list.ts";
import { signalGroup } from "./step-processes.ts";

const look = sharedLook();

/** Asks the group to end and kills it after `graceMs`. False if something of it is still there and can't be ended now. */
export async function endGroup(pid: number, graceMs: number): Promise<boolean> {
  if (!signalGroup(pid, "SIGTERM")) return true;
  signalGroup(pid, "SIGCONT"); // a stopped process hears the request only when it continues
  if (await isGone(pid, graceMs)) return true;
  return killGroup(pid);
}

export async function killGroup(pid: number): Promise<boolean> {
  return !signalGroup(pid, "SIGKILL") || (await isGone(pid, 5000));
}

/** Waits until the group is gone, in growing steps. Dead processes that their parent has not reaped count as gone. */
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
