/** The daemon as a process: whether it exists, whether it answers, and which process it is. */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { DaemonStatus } from "../../api/api.ts";
import type { Connection } from "../../client/connection.ts";
import { isAbsent, isDisconnect } from "../../client/disconnect.ts";
import { isAlive } from "../../client/process.ts";
import type { Config } from "../../config.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { Context } from "../base/command.ts";
import { directClient } from "../base/patience.ts";

/** A healthy daemon answers in a few milliseconds; one that replays a long log isn't listening yet. */
const ANSWERS_WITHIN_MS = 5000;
const LOOK_AGAIN_MS = 100;

export function connectionOf({ config, out, abort }: Pick<Context, "config" | "out" | "abort">): Connection {
  const daemonFile = fileURLToPath(new URL("daemon.cjs", import.meta.url));
  return { ...config, daemonFile, via: "cli", say: out.say, abort };
}

/** The daemon's status; null when there is none. Never starts one. One that is being ended breaks connections: it is gone in a moment. */
export async function probe(
  context: Pick<Context, "config" | "abort">,
  withinMs = ANSWERS_WITHIN_MS,
): Promise<DaemonStatus | null> {
  const late = AbortSignal.timeout(withinMs);
  for (;;) {
    try {
      return await directClient(context, AbortSignal.any([context.abort, late])).health();
    } catch (error) {
      if (isAbsent(error)) return null;
      if (context.abort.aborted || error instanceof Refusal) throw error;
      if (late.aborted) throw silent();
      if (!isDisconnect(error)) throw unreachable(context.config.socket, error as Error);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
}

function silent(): Refusal {
  return new Refusal(
    "daemon.unreachable",
    "the daemon is running but does not respond",
    "oj daemon stop --kill",
  );
}

function unreachable(socket: string, { message }: Error): Refusal {
  return new Refusal(
    "daemon.unreachable",
    `the daemon can't be reached at ${socket}: ${message}`,
    "oj doctor",
  );
}

/** The pid that the daemon of this state folder wrote down, if that process lives and is one of ours. */
export function livingPid({ stateDir }: Pick<Config, "stateDir">): number | null {
  try {
    const pid = Number(fs.readFileSync(path.join(stateDir, "daemon.pid"), "utf8"));
    return Number.isInteger(pid) && pid > 1 && isAlive(pid) && isDaemon(pid) ? pid : null;
  } catch {
    return null;
  }
}

/** The pid may belong to another program by now. Where there is no /proc, it is believed. */
function isDaemon(pid: number): boolean {
  if (!fs.existsSync("/proc/self/cmdline")) return true;
  return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("daemon.cjs");
}
