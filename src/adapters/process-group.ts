/** Ends process groups: politely, then not. Only groups that we started, named by the pid of their leader. */
import { execFile } from "node:child_process";
import fs from "node:fs/promises";
import { promisify } from "node:util";

/** Asks the group to end, kills it after `graceMs`, and returns when no process of it is left. */
export async function endGroup(pid: number, graceMs: number): Promise<void> {
  if (!signalGroup(pid, "SIGTERM")) return;
  if (await isGone(pid, graceMs)) return;
  await killGroup(pid);
}

export async function killGroup(pid: number): Promise<void> {
  if (signalGroup(pid, "SIGKILL")) await isGone(pid, 5000);
}

/** Does the group with this leader belong to that run? Its number may have gone to a stranger since. */
export async function groupOf(pid: number, mark: string): Promise<boolean> {
  for (const it of await members(pid)) {
    if (it.command.includes(mark)) return true;
    const environ = await fs.readFile(`/proc/${it.pid}/environ`, "latin1").catch(() => "");
    if (environ.includes(`OJ_RUN=${mark}`)) return true;
  }
  return false;
}

/** Waits until the group is gone, in growing steps. Processes that are dead but not collected by their parent count as gone. */
async function isGone(pid: number, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  for (let pause = 2; ; pause = Math.min(pause * 2, 100)) {
    if (!signalGroup(pid, 0)) return true;
    if (pause >= 64 && (await members(pid)).every((it) => it.state.startsWith("Z"))) return true;
    if (Date.now() >= deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

async function members(group: number): Promise<{ pid: string; state: string; command: string }[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,pgid=,stat=,command="]).catch(() => ({
    stdout: "",
  }));
  return stdout.split("\n").flatMap((line) => {
    const [, pid = "", pgid, state = "", command = ""] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    return Number(pgid) === group ? [{ pid, state, command }] : [];
  });
}

/** False when there is no such group (any more). */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch {
    return false;
  }
}
