/** A process that has nothing but terminals, for tests that kill it as a daemon would be killed. */
import { spawn } from "node:child_process";
import fs from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import type { TmuxWorld } from "./session-world.ts";
import { env } from "./session-world.ts";

const SESSIONS = path.resolve(import.meta.dirname, "../../src/adapters/tmux/sessions.ts");

export interface SessionDaemon {
  /** Stops reading. */
  stop(): void;
  /** SIGKILL; returns when it is gone. */
  kill(): Promise<void>;
}

/** Runs `script`, which can use `sessions` and `cwd`, and returns when it is done. */
export async function sessionDaemon(world: TmuxWorld, script: string): Promise<SessionDaemon> {
  const file = path.join(world.dir, "daemon.mjs");
  if (!(await fs.stat(file).catch(() => null))) await bundle(file);
  const argv = [file, world.socket, path.join(world.dir, "agents"), world.dir, script];
  const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "pipe"], env });
  const gone = new Promise<void>((resolve) => child.once("close", resolve));
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (part) => {
    said += part;
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.once("data", resolve);
    void gone.then(() => reject(new Error(`the daemon ended: ${said}`)));
  });
  return {
    stop: () => void child.kill("SIGSTOP"),
    async kill() {
      child.kill("SIGKILL");
      await gone;
    },
  };
}

async function bundle(file: string): Promise<void> {
  const contents = `
    import { tmuxSessions } from ${JSON.stringify(SESSIONS)};
    const [socket, dir, cwd, script] = process.argv.slice(2);
    const journal = { debug() {}, info() {}, warn() {}, error() {} };
    const sessions = tmuxSessions({ socket, dir, maxBytes: 1e6, killAfterMs: 100, journal, env: process.env });
    const AsyncFunction = (async () => {}).constructor;
    await new AsyncFunction("sessions", "cwd", script)(sessions, cwd);
    console.log("done");
    setInterval(() => {}, 1000);`;
  await build({
    stdin: { contents, resolveDir: path.dirname(file) },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile: file,
    logLevel: "error",
  });
}
