/** A process that has nothing but terminals, for tests that kill it as a daemon would be killed. */
import { spawn } from "node:child_process";
import fs from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import type { TmuxWorld } from "./terminal-world.ts";
import { env } from "./terminal-world.ts";

const TERMINALS = path.resolve(import.meta.dirname, "../../src/adapters/tmux/terminals.ts");

export interface TerminalDaemon {
  /** Stops reading. */
  stop(): void;
  /** SIGKILL; returns when it is gone. */
  kill(): Promise<void>;
}

/** Runs `script`, which can use `terminals` and `cwd`, and returns when it is done. */
export async function terminalDaemon(world: TmuxWorld, script: string): Promise<TerminalDaemon> {
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
    import { tmuxTerminals } from ${JSON.stringify(TERMINALS)};
    const [socket, dir, cwd, script] = process.argv.slice(2);
    const journal = { debug() {}, info() {}, warn() {}, error() {} };
    const terminals = tmuxTerminals({ socket, dir, maxBytes: 1e6, killAfterMs: 100, journal, env: process.env });
    const AsyncFunction = (async () => {}).constructor;
    await new AsyncFunction("terminals", "cwd", script)(terminals, cwd);
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
