/** A real daemon in a folder of its own: started, listened to, and killed. */
import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { ApiClient } from "../../src/api/api.ts";
import { clientOf } from "../../src/client/client.ts";
import type { Readiness } from "../../src/client/spawn-daemon.ts";

export interface Place {
  stateDir: string;
  socket: string;
  env: Record<string, string>;
}

export interface Life {
  pid: number;
  /** When it was started, and when its process was gone. */
  from: number;
  until: number;
  /** Resolves when it serves; rejects when it ended before. */
  ready: Promise<void>;
  exited: Promise<void>;
  /** It was told to end: connections may break from now on. */
  ending: boolean;
  kill(): Promise<void>;
}

export const root = packageRoot();

/** A state folder below `dir`, with its own settings and an environment into which nothing of ours leaks. */
export function makePlace(dir: string, settings: string): Place {
  const stateDir = path.join(dir, "state");
  const config = path.join(dir, "config/oj");
  fs.mkdirSync(stateDir, { recursive: true, mode: 0o700 });
  fs.mkdirSync(config, { recursive: true });
  fs.writeFileSync(path.join(config, "config.toml"), settings);
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: dir,
    XDG_CONFIG_HOME: path.join(dir, "config"),
    OJ_STATE_DIR: stateDir,
    USER: "torture",
  };
  return { stateDir, socket: path.join(stateDir, "oj.sock"), env };
}

/** A client with that name. This program is not built with a version, so any will do. */
export function callerOf(place: Place, user: string, abort?: AbortSignal): ApiClient {
  const { socket } = place;
  return clientOf({ socket, user, via: "api", anyVersion: true, ...(abort ? { abort } : {}) });
}

const living = new Set<ChildProcess>();

/** @param node  the Node that runs it */
export function startLife(place: Place, node = process.execPath): Life {
  const child = spawn(node, [path.join(root, "dist/daemon.cjs")], {
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    cwd: "/",
    env: place.env,
  });
  living.add(child);
  let errors = "";
  child.stderr?.on("data", (part) => {
    errors = (errors + part).slice(-4000);
  });
  const life: Life = {
    pid: child.pid ?? 0,
    from: Date.now(),
    until: Number.POSITIVE_INFINITY,
    ready: new Promise((resolve, reject) => {
      let line = "";
      child.stdio[3]?.on("data", (part) => {
        line += part;
        if (!line.includes("\n")) return;
        const readiness = JSON.parse(line) as Readiness;
        if (readiness.ready) resolve();
        else reject(new Error(`the daemon refused to start: ${readiness.code} ${readiness.message}`));
      });
      child.once("close", (code, signal) =>
        reject(new Error(`the daemon ended before it was ready (${signal ?? code}): ${errors}`)),
      );
    }),
    exited: new Promise((resolve) => {
      child.once("exit", () => {
        life.until = Date.now();
        living.delete(child);
        child.stderr?.destroy();
        child.stdio[3]?.destroy();
        resolve();
      });
    }),
    ending: false,
    kill() {
      life.ending = true;
      child.kill("SIGKILL");
      return life.exited;
    },
  };
  life.ready.catch(() => undefined); // whoever waits for it hears about it
  return life;
}

/** Ends what is left when the program itself is ended. */
export function killAll(): void {
  for (const child of living) child.kill("SIGKILL");
}

function packageRoot(): string {
  for (let dir = path.dirname(fileURLToPath(import.meta.url)); ; dir = path.dirname(dir)) {
    if (fs.existsSync(path.join(dir, "dist/daemon.cjs"))) return dir;
    if (dir === path.dirname(dir)) throw new Error("dist/daemon.cjs is not there: npm run build");
  }
}
