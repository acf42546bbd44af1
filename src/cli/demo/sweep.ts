/** Removes a folder and every process that was started for it, at once and without waiting for anything. */
import fs from "node:fs";

export function sweep(folder: string, pid: number | null): void {
  if (pid !== null) kill(pid);
  // A daemon that is still starting has not written down its pid, and what a job runs never does. Each scan may find
  // what the last one's victims had just started.
  for (let scans = 0; scans < 10 && processesOf(folder).map(kill).includes(true); scans++);
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}

/** Living processes whose environment names the folder, if the system shows it: on Linux. */
function processesOf(folder: string): number[] {
  if (!fs.existsSync("/proc/self/environ")) return [];
  const pids = fs.readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
  return pids.filter((pid) => pid !== process.pid && environmentOf(pid).includes(folder));
}

/** Empty for a process that has ended, and for one that isn't ours. */
function environmentOf(pid: number): string {
  try {
    return fs.readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return "";
  }
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch {
    return false; // it ended by itself
  }
}
