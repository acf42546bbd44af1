/** Tells whether a process is alive, and waits until it is gone. */
import fs from "node:fs";

export async function untilGone(pid: number, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (isAlive(pid)) {
    if (performance.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
  return !isZombie(pid);
}

/**
 * The process has ended, but its parent has not collected it. In a container whose first program never does, that lasts
 * forever. A process that still has other threads is only ending.
 */
function isZombie(pid: number): boolean {
  try {
    const status = fs.readFileSync(`/proc/${pid}/status`, "utf8");
    return /^State:\s+Z/m.test(status) && /^Threads:\s+[01]$/m.test(status);
  } catch {
    return false;
  }
}
