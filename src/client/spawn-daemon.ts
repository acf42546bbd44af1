/** Starts the daemon in the background and stays until it is ready, so that its errors reach the person who started it. */
import { spawn } from "node:child_process";
import net from "node:net";
import type { RefusalCode } from "../core/errors.ts";
import { Refusal } from "../core/errors.ts";
import type { Connection } from "./connect.ts";

const READY_WITHIN_MS = 60_000;

/** Calls leave little behind: with more room for what is short-lived, the daemon would only keep more of it (Node's own is 16). */
export const NODE_FLAGS = ["--max-semi-space-size=8"];

/** What the daemon writes to file descriptor 3, as one line: that it is ready, or why it can't be. */
export type Readiness =
  | { ready: true; pid: number }
  | { ready: false; code: RefusalCode; message: string; hint: string | null };

export async function spawnDaemon(
  connection: Pick<Connection, "daemonFile" | "env" | "stateDir" | "socket">,
  flags: readonly string[] = [],
): Promise<void> {
  const child = spawn(process.execPath, [...NODE_FLAGS, connection.daemonFile, ...flags], {
    detached: true,
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    cwd: "/",
    env: { ...withoutAgent(connection.env), OJ_STATE_DIR: connection.stateDir },
  });
  let errors = "";
  child.stderr?.on("data", (part) => {
    errors = (errors + part).slice(-4000);
  });
  try {
    const readiness = await untilReady(child);
    if (readiness.ready) return;
    // Two started at once: the other one won, and serves us as well, once it listens.
    if (readiness.code === "daemon.already-running") return await untilListening(connection.socket);
    throw new Refusal(readiness.code, readiness.message, readiness.hint);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(
      "daemon.failed",
      `the daemon did not start: ${errors.trim() || (error as Error).message}`,
      "oj doctor",
    );
  } finally {
    child.unref();
    child.stderr?.destroy();
    child.stdio[3]?.destroy();
  }
}

/** An agent or a step may be the one who starts it. The daemon, and what it then runs for others, is not theirs. */
function withoutAgent(env: Connection["env"]): Connection["env"] {
  const { OJ_AGENT: _, OJ_AGENT_TOKEN: __, OJ_RUN: ___, ...rest } = env;
  return rest;
}

function untilReady(child: ReturnType<typeof spawn>): Promise<Readiness> {
  return new Promise((resolve, reject) => {
    let line = "";
    const late = setTimeout(() => {
      child.kill("SIGKILL"); // ours, and of no use to anybody
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

async function untilListening(socket: string): Promise<void> {
  for (const deadline = performance.now() + READY_WITHIN_MS; performance.now() < deadline; ) {
    if (await accepts(socket)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("another one holds the lock and does not listen");
}

function accepts(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ path });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
