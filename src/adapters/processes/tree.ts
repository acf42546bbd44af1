/** Ends a program with everything it started: its session, and the sessions that its descendants opened. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { endGroup, killGroup } from "./group.ts";

export interface Process {
  pid: number;
  parent: number;
  group: number;
  /** Where ps knows no sessions (macOS), the group has to do. */
  session: number;
}

/** Anything forked while we looked is found by looking again. */
const ROUNDS = 4;

/**
 * Returns when nothing is left of the program that led this session. `ended` says that the leader is known to be gone: a process that has
 * its pid now is a stranger, and so is everything around it.
 */
export async function endTree(leader: number, input: { graceMs: number; ended: boolean }): Promise<void> {
  const terminals = new Set([leader]);
  for (let round = 0; round < ROUNDS; round++) {
    const all = await processes();
    if (input.ended && all.some((it) => it.pid === leader)) return;
    const groups = groupsOf(all, terminals, process.pid);
    if (groups.length === 0) return;
    await Promise.all(groups.map((it) => (round === 0 ? endGroup(it, input.graceMs) : killGroup(it))));
  }
}

/**
 * The process groups of these sessions and of all that descends from their members. Sessions that turn up on the
 * way are added. We ourselves are never among them: an agent may have started the daemon that now ends the agent.
 */
export function groupsOf(all: readonly Process[], terminals: Set<number>, self: number): number[] {
  const own = all.find((it) => it.pid === self);
  const found = new Set<Process>();
  for (let grown = true; grown; ) {
    const before = found.size;
    const pids = new Set([...found].map((it) => it.pid));
    for (const it of all) {
      if (it.pid === self || it.parent === self || it.group === own?.group) continue;
      if (!terminals.has(it.session) && !pids.has(it.parent)) continue;
      found.add(it);
      terminals.add(it.session);
    }
    grown = found.size > before;
  }
  return [...new Set([...found].map((it) => it.group))];
}

/** Everything that runs here, except dead processes that their parent has not reaped. */
async function processes(): Promise<Process[]> {
  const session = process.platform === "linux" ? "sid" : "pgid";
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", `pid=,ppid=,pgid=,${session}=,stat=`], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout.split("\n").flatMap((line) => {
    const [pid = 0, parent = 0, group = 0, session = 0] = line.trim().split(/\s+/, 4).map(Number);
    return pid === 0 || /\sZ\S*$/.test(line) ? [] : [{ pid, parent, group, session }];
  });
}
