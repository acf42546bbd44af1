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
  for (const it of await processes()) {
    if (it.group !== pid) continue;
    if ((await it.command()).includes(mark) || (await isMarked(it.pid, mark))) return true;
  }
  return false;
}

/** The groups whose leader runs that script for that run. */
export async function leadersOf(script: string, mark: string): Promise<number[]> {
  const found: number[] = [];
  for (const { pid, group, command } of await processes())
    if (pid === group && (await command()).includes(script) && (await isMarked(pid, mark))) found.push(pid);
  return found;
}

/** Was it started for that run? Where a process' environment can't be read, nobody is taken for one of ours. */
async function isMarked(pid: number, mark: string): Promise<boolean> {
  const environ = await readProc(String(pid), "environ");
  return environ.split("\0").includes(`OJ_RUN=${mark}`);
}

/** Waits until the group is gone, in growing steps. Processes that are dead but not collected by their parent count as gone. */
async function isGone(pid: number, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  for (let pause = 2; ; pause = Math.min(pause * 2, 100)) {
    if (!signalGroup(pid, 0)) return true;
    if (pause >= 16 && (await isDead(pid))) return true;
    if (performance.now() >= deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

async function isDead(group: number): Promise<boolean> {
  const own = (await processes()).filter((it) => it.group === group);
  return own.length > 0 && own.every((it) => it.state.startsWith("Z"));
}

interface Process {
  pid: number;
  group: number;
  state: string;
  command(): Promise<string>;
}

/** Everything that runs. Small containers have no `ps`, and macOS has no /proc. */
async function processes(): Promise<Process[]> {
  const names = await fs.readdir("/proc").catch(() => null);
  if (names === null) return fromPs();
  const all = await Promise.all(names.filter((it) => /^\d+$/.test(it)).map(fromProc));
  return all.filter((it) => it !== null);
}

async function fromProc(name: string): Promise<Process | null> {
  const stat = await readProc(name, "stat");
  // pid (name, which may hold anything) state parent group …
  const [state = "", , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  if (group === undefined) return null; // it ended meanwhile
  return { pid: Number(name), group: Number(group), state, command: () => readProc(name, "cmdline") };
}

function readProc(name: string, what: "stat" | "cmdline" | "environ"): Promise<string> {
  return fs.readFile(`/proc/${name}/${what}`, "latin1").catch(() => "");
}

async function fromPs(): Promise<Process[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,pgid=,stat=,command="], {
    maxBuffer: 64 * 1024 * 1024,
  }).catch(() => ({ stdout: "" }));
  return stdout.split("\n").flatMap((line) => {
    const [, pid, group, state = "", command = ""] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined) return [];
    return [{ pid: Number(pid), group: Number(group), state, command: async () => command }];
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
