/** Runs `bd` once: within a time limit, in a process group of its own, and never longer than the daemon lives. */
import { spawn } from "node:child_process";
import path from "node:path";
import { BeadsTrouble } from "../../beads-port.ts";
import { endGroup } from "../processes/group.ts";

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Call {
  args: readonly string[];
  stdin?: string;
  withinMs: number;
  /** The folder `.beads`. */
  dir: string;
  env: Readonly<Record<string, string>>;
  abort: AbortSignal;
}

const MOST_BYTES = 16e6;
const KILL_AFTER_MS = 2000;

/**
 * A `bd` that waits for a lock would outlive a daemon that was killed, and write what is no longer true once the lock is
 * free. Descriptor 3 ends with the daemon.
 */
const WITH_US = `exec 4<&0
bd "$@" <&4 3<&- 4<&- &
bd=$!
{ read -r _ <&3; kill "$bd"; sleep 2; kill -9 "$bd"; } </dev/null >/dev/null 2>&1 4<&- &
guard=$!
exec 3<&- 4<&-
wait "$bd"
code=$?
kill "$guard" 2>/dev/null
exit "$code"`;

/** The person's settings must not make it ask, send metrics, run scripts of the repository, or touch git. */
const MANNER = {
  BD_NON_INTERACTIVE: "1",
  BD_JSON_ENVELOPE: "0",
  BD_DISABLE_METRICS: "1",
  DO_NOT_TRACK: "1",
  BD_NO_HOOKS: "1",
  BD_NO_PUSH: "1",
  BD_NO_GIT_OPS: "1",
  BD_EXPORT_AUTO: "false",
  BD_EXPORT_GIT_ADD: "false",
  BD_DOLT_AUTO_PUSH: "false",
  BEADS_NO_DAEMON: "1",
  BD_ACTOR: "oj",
  NO_COLOR: "1",
};

export async function runBd({ args, stdin, withinMs, dir, env, abort }: Call): Promise<Ran> {
  abort.throwIfAborted();
  const { BASH_ENV: _, ...rest } = env;
  const child = spawn("bash", ["--norc", "--noprofile", "-c", WITH_US, "bd", ...args], {
    cwd: path.dirname(dir),
    detached: true,
    stdio: ["pipe", "pipe", "pipe", "pipe"],
    env: { ...rest, ...MANNER, BEADS_DIR: dir },
  });
  const parts: { stdout: Buffer[]; stderr: Buffer[] } = { stdout: [], stderr: [] };
  let size = 0;
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.on("data", (part: Buffer) => {
      size += part.length;
      if (size <= MOST_BYTES) parts[name].push(part);
      else end("loud");
    });
  for (const stream of child.stdio) stream?.on("error", () => {}); // it may end before it has read everything
  child.stdin?.end(stdin ?? "");

  let ended: "late" | "aborted" | "loud" | null = null;
  const end = (why: NonNullable<typeof ended>) => {
    if (ended !== null || child.pid === undefined) return;
    ended = why;
    void endGroup(child.pid, KILL_AFTER_MS);
  };
  const timer = setTimeout(() => end("late"), withinMs);
  const stop = () => end("aborted");
  abort.addEventListener("abort", stop);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    const said = {
      stdout: Buffer.concat(parts.stdout).toString(),
      stderr: Buffer.concat(parts.stderr).toString(),
    };
    abort.throwIfAborted();
    if (ended === "late")
      throw new BeadsTrouble("locked", `bd ${args[0]} did not end within ${Math.round(withinMs / 1000)} s`);
    if (ended === "loud") throw new BeadsTrouble("failing", `bd ${args[0]} printed more than 16 MB`);
    return { code, ...said };
  } finally {
    clearTimeout(timer);
    abort.removeEventListener("abort", stop);
  }
}
