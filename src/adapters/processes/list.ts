/**
 * One look at everything that runs here, shared by everyone who asks at the same time. Small containers have no `ps`, and macOS has no
 * /proc.
 */
import { execFile } from "node:child_process";
import fs from "node:fs/promises";
import { promisify } from "node:util";

export interface Process {
  pid: number;
  group: number;
  session: number;
  /** As `ps` shows it: R, S, T (stopped), D (uninterruptible), Z (dead, not reaped by its parent) … */
  state: string;
  /** When it began, in seconds since boot; null if only `ps` could tell. */
  began_s: number | null;
  /** The run that it was started for; null if there is none, undefined if that can't be read. */
  run: string | null | undefined;
  command: string;
}

/** The result of one look, ready to be queried by hundreds. */
export interface Processes {
  byPid: Map<number, Process>;
  byGroup: Map<number, Process[]>;
  byRun: Map<string, Process[]>;
  /** Leaders of groups without a mark: one may be recognized by its command. */
  unmarked: Process[];
}

export function processesIn(all: readonly Process[]): Processes {
  const byPid = new Map(all.map((it) => [it.pid, it]));
  const byGroup = new Map<number, Process[]>();
  const byRun = new Map<string, Process[]>();
  for (const it of all) {
    add(byGroup, it.group, it);
    if (typeof it.run === "string") add(byRun, it.run, it);
  }
  return { byPid, byGroup, byRun, unmarked: all.filter((it) => it.command !== "") };
}

function add<K>(to: Map<K, Process[]>, key: K, it: Process): void {
  const known = to.get(key);
  if (known) known.push(it);
  else to.set(key, [it]);
}

/** More at once would only use up descriptors: the files are read by this many threads. */
const AT_ONCE = 4;

/**
 * Callers that ask while a look is under way get the next one: what a caller sees began after it asked. Throws if nothing can be seen:
 * nobody may take that for "nothing runs".
 */
export function sharedLook(look = lookAtProcesses): () => Promise<Processes> {
  let next: Promise<Processes> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    next ??= last.then(() => {
      next = null;
      const looking = look().then(processesIn);
      last = looking.catch(() => undefined);
      return looking;
    });
    return next;
  };
}

async function lookAtProcesses(): Promise<Process[]> {
  const names = await fs.readdir("/proc").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (!names?.includes("self")) return fromPs();
  const pids = names.filter((it) => /^\d+$/.test(it));
  const found: Process[] = [];
  const take = async () => {
    const room = Buffer.allocUnsafe(16_384);
    for (let pid = pids.pop(); pid !== undefined; pid = pids.pop()) {
      const process = await fromProc(pid, room);
      if (process) found.push(process);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, take));
  return found;
}

async function fromProc(pid: string, room: Buffer): Promise<Process | null> {
  const stat = await readProc(pid, "stat", room);
  if (!stat) return null; // it ended meanwhile
  // pid (name, which may hold anything) state parent group session … began
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state = "", , group, session] = fields;
  const base = {
    pid: Number(pid),
    group: Number(group),
    session: Number(session),
    state,
    began_s: Number(fields[19]) / 100,
  };
  // Reading the memory of an uninterruptible process can take as long as that lasts; the dead have none.
  if (/^[DZX]/.test(state)) return { ...base, run: state === "D" ? undefined : null, command: "" };
  const environ = await readProc(pid, "environ", room);
  if (environ === null) return { ...base, run: undefined, command: "" };
  const run = /(?:^|\0)OJ_RUN=([^\0]*)/.exec(environ)?.[1] ?? null;
  const command =
    run === null && Number(pid) === base.group ? ((await readProc(pid, "cmdline", room)) ?? "") : "";
  return { ...base, run, command };
}

/** "" if it has ended meanwhile, null if it belongs to somebody else. Anything else that goes wrong is an error. */
async function readProc(
  pid: string,
  what: "stat" | "cmdline" | "environ",
  room: Buffer,
): Promise<string | null> {
  try {
    return await readWhole(`/proc/${pid}/${what}`, room);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ESRCH") return "";
    if (code === "EACCES" || code === "EPERM") return null;
    throw error;
  }
}

/** These files don't state their length; a separate buffer for each of thousands would keep the collector busy. */
async function readWhole(file: string, room: Buffer): Promise<string> {
  const handle = await fs.open(file);
  try {
    let text = "";
    for (;;) {
      const { bytesRead } = await handle.read(room, 0, room.length, null);
      if (bytesRead === 0) return text;
      text += room.toString("latin1", 0, bytesRead);
      if (bytesRead < room.length) return text;
    }
  } finally {
    await handle.close();
  }
}

/** With `E`, ps shows the environment of one's own processes after their command. */
async function fromPs(): Promise<Process[]> {
  const isMac = process.platform === "darwin";
  const columns = `pid=,pgid=,${isMac ? "pgid" : "sid"}=,stat=,${isMac ? "command" : "args"}=`;
  const { stdout } = await promisify(execFile)("ps", [isMac ? "-AEww" : "axeww", "-o", columns], {
    maxBuffer: 256 * 1024 * 1024,
  });
  return stdout.split("\n").flatMap((line) => {
    const found = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line);
    if (!found) return [];
    const [, pid, group, session, state = "", command = ""] = found;
    const run = /(?:^|\s)OJ_RUN=(\S*)/.exec(command)?.[1] ?? null;
    return [
      {
        pid: Number(pid),
        group: Number(group),
        session: Number(session),
        state,
        began_s: null,
        run,
        command,
      },
    ];
  });
}
