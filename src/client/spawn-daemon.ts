/**
 * Starts the daemon in the background and waits until it is ready, so that its errors reach the person who started it.
 */
import { spawn } from "node:child_process";
import type { RefusalCode } from "../core/model/errors.ts";
import { Refusal } from "../core/model/errors.ts";
import { clientOf } from "./client.ts";
import type { Connection } from "./connection.ts";

const READY_WITHIN_MS = 60_000;
/** How long a daemon that holds the lock may be silent before we try to take its place. */
const ANSWERS_WITHIN_MS = 2000;

/** What the daemon writes to file descriptor 3, as one line: that it is ready, or why it can't be. */
export type Readiness =
  | { ready: true; pid: number }
  | { ready: false; code: RefusalCode; message: string; hint: string | null };

type Place = Pick<Connection, "daemonFile" | "env" | "stateDir" | "socket" | "user" | "via">;

/**
 * A daemon that already holds the lock will do as well, once it answers. If it doesn't, it was killed and is not quite
 * gone (its socket may even accept connections), or it ended while starting. Then we start another.
 */
export async function spawnDaemon(place: Place, flags: readonly string[] = []): Promise<void> {
  for (const deadline = performance.now() + READY_WITHIN_MS; ; ) {
    const readiness = await launch(place, flags);
    if (readiness.ready) return;
    if (readiness.code !== "daemon.already-running")
      throw new Refusal(readiness.code, readiness.message, readiness.hint);
    if (await answersWithin(place, ANSWERS_WITHIN_MS)) return;
    if (performance.now() > deadline) throw failed("another one holds the lock but does not respond");
  }
}

async function launch({ daemonFile, env, stateDir }: Place, flags: readonly string[]): Promise<Readiness> {
  // No flags for V8: with any, Node compiles its own modules anew at each start, in every thread.
  const child = spawn(process.execPath, [daemonFile, ...flags], {
    detached: true,
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    cwd: "/",
    env: { ...withoutAgent(env), OJ_STATE_DIR: stateDir },
  });
  let errors = "";
  child.stderr?.on("data", (part) => {
    errors = (errors + part).slice(-4000);
  });
  try {
    return await untilReady(child);
  } catch (error) {
    throw failed(errors.trim() || (error as Error).message);
  } finally {
    child.unref();
    child.stderr?.destroy();
    child.stdio[3]?.destroy();
  }
}

function failed(why: string): Refusal {
  return new Refusal("daemon.failed", `the daemon did not start: ${why}`, "oj doctor");
}

/** An agent or a step may be starting the daemon. The daemon, and what it later runs for others, is not theirs. */
function withoutAgent(env: Connection["env"]): Connection["env"] {
  const { OJ_AGENT: _, OJ_AGENT_TOKEN: __, OJ_RUN: ___, ...rest } = env;
  return rest;
}

function untilReady(child: ReturnType<typeof spawn>): Promise<Readiness> {
  return new Promise((resolve, reject) => {
    let line = "";
    const late = setTimeout(() => {
      child.kill("SIGKILL"); // we started it, and nobody can use it
      reject(new Error("it was not ready within a minute"));
    }, READY_WITHIN_MS);
    const settle = (end: () => void) => {
      clearTimeout(late);
      end();
    };
    child.stdio[3]?.on("data", (part) => {
      line += part;
      if (!line.includes("\n")) return;
      settle(() => resolve(JSON.parse(line) as Readiness));
    });
    child.once("error", (error) => settle(() => reject(error)));
    child.once("close", (code, signal) =>
      settle(() => reject(new Error(`it ended at once (${signal ?? `exit code ${code}`})`))),
    );
  });
}

async function answersWithin(place: Place, ms: number): Promise<boolean> {
  const late = AbortSignal.timeout(ms);
  while (!late.aborted) {
    if (await answers(place, late)) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}

/** Whether a daemon is there. A connection alone proves nothing: the socket of a dying process accepts them too. */
async function answers({ socket, user, via }: Place, abort: AbortSignal): Promise<boolean> {
  try {
    await clientOf({ socket, user, via, anyVersion: true, abort }).health();
    return true;
  } catch (error) {
    return error instanceof Refusal; // it speaks, if only to turn us down
  }
}
