/** A real PostgreSQL (Debian's) on a port and in a folder of its own, never as root. */
import type { ChildProcess } from "node:child_process";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { freePort } from "./ports.ts";

export interface Postgres {
  port: number;
  /** The address of a new, empty database. */
  database(): Promise<string>;
  /** Runs SQL as its owner and returns what psql prints, without decoration. */
  sql(url: string, text: string): string;
  /** Ends it at once, as a power cut would; `start` brings it back. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** From its next start on it only follows that server, as a primary does that was demoted. */
  follow(port: number): void;
  close(): Promise<void>;
}

/** Why it can't be used here; null if it can. */
export function whyNoPostgres(): string | null {
  return binaries() === null ? "PostgreSQL is not installed" : null;
}

/**
 * `durable`: commits reach the disk, as in use. Tests that only kill the process don't need that. `standbyOf`: a copy of
 * the server at that port, which it follows until `SELECT pg_promote()`.
 */
export async function postgres({
  durable = false,
  standbyOf,
}: {
  durable?: boolean;
  standbyOf?: number;
} = {}): Promise<Postgres> {
  const bin = binaries() ?? "";
  // not in the folder of the tests, which is private: its user must get there
  const dir = fs.mkdtempSync("/tmp/oj-postgres-");
  const data = path.join(dir, "data");
  const owner = serverUser();
  if (owner.uid !== undefined) fs.chownSync(dir, owner.uid, owner.gid ?? owner.uid);
  const run = { ...owner, cwd: dir, env: { PATH: process.env.PATH ?? "", LC_ALL: "C" } };
  const [maker, ...how] =
    standbyOf === undefined
      ? ["initdb", "-A", "trust", "-E", "UTF8"]
      : ["pg_basebackup", "-R", "-h", "127.0.0.1", "-p", `${standbyOf}`, "-c", "fast", "-X", "stream"];
  const made = spawnSync(path.join(bin, maker ?? ""), [...how, "-D", data, "-U", "oj", "--no-sync"], {
    ...run,
    encoding: "utf8",
  });
  if (made.status !== 0) throw new Error(`${maker} failed: ${made.stderr}`);
  const port = await freePort();
  fs.appendFileSync(
    path.join(data, "postgresql.conf"),
    `listen_addresses = '127.0.0.1'\nport = ${port}\nunix_socket_directories = ''\nshared_buffers = 32MB\n` +
      `max_connections = 120\nautovacuum = off\nfsync = ${durable ? "on" : "off"}\n`,
  );
  let child: ChildProcess | null = null;
  let databases = 0;
  const admin = `postgres://oj@127.0.0.1:${port}/postgres`;
  const sql = (url: string, text: string) => {
    const args = ["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", url, "-c", text];
    const { status, stdout, stderr } = spawnSync("psql", args, { encoding: "utf8" });
    if (status !== 0) throw new Error(stderr);
    return stdout.trimEnd();
  };

  async function start(): Promise<void> {
    child = spawn(path.join(bin, "postgres"), ["-D", data], { ...run, stdio: "ignore" });
    const until = Date.now() + 60_000;
    while (spawnSync("pg_isready", ["-q", "-d", admin]).status !== 0) {
      if (Date.now() > until) throw new Error("PostgreSQL does not start");
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    if (child === null) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
    child = null;
    if (signal === "SIGKILL") await childrenGone(data);
  }

  await start();
  return {
    port,
    sql,
    start,
    follow(primary) {
      const conf = `primary_conninfo = 'host=127.0.0.1 port=${primary} user=oj'\nrecovery_target_timeline = 'latest'\n`;
      fs.appendFileSync(path.join(data, "postgresql.conf"), conf);
      fs.writeFileSync(path.join(data, "standby.signal"), "");
    },
    async database() {
      const name = `oj${++databases}`;
      sql(admin, `CREATE DATABASE ${name}`);
      return `postgres://oj@127.0.0.1:${port}/${name}`;
    },
    kill: () => end("SIGKILL"),
    async close() {
      await end("SIGINT"); // disconnects everyone
      fs.rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** After the postmaster was killed, its children notice and end. A new one refuses to start before that. */
async function childrenGone(data: string): Promise<void> {
  const isTheirs = (pid: string) => {
    try {
      return fs.readlinkSync(`/proc/${pid}/cwd`) === data;
    } catch {
      return false; // ended meanwhile, or not ours to look at
    }
  };
  const until = Date.now() + 60_000;
  while (fs.readdirSync("/proc").some((name) => /^\d+$/.test(name) && isTheirs(name))) {
    if (Date.now() > until) throw new Error("the children of PostgreSQL don't end");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export function serverUser(): { uid?: number; gid?: number } {
  return os.userInfo().uid === 0 ? { uid: 65_534, gid: 65_534 } : {};
}

/** Debian keeps the server's programs out of the path, a folder for each version. */
function binaries(): string | null {
  const root = "/usr/lib/postgresql";
  const versions = fs.existsSync(root) ? fs.readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((it) => path.join(root, it, "bin")),
    ...(process.env.PATH ?? "").split(":"),
  ];
  return (
    folders.find((it) => ["initdb", "postgres"].every((name) => fs.existsSync(path.join(it, name)))) ?? null
  );
}
