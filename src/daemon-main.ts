/**
 * The daemon's own program, which alone wires adapters to ports. `oj` starts it in the background and reads on
 * descriptor 3 how the start went.
 */
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { MachineKey } from "./adapters/audit/key.ts";
import { keyOf } from "./adapters/audit/key.ts";
import { bashReader } from "./adapters/bash/reader.ts";
import { bashShell } from "./adapters/bash/shell.ts";
import { bdBeads } from "./adapters/beads/bd.ts";
import { jobFiles } from "./adapters/files/job-files.ts";
import { fileJournal } from "./adapters/files/journal.ts";
import { makeFolder } from "./adapters/files/make-folder.ts";
import { sourceReader } from "./adapters/files/read-source.ts";
import { realPaths } from "./adapters/files/real-paths.ts";
import { fileShelf } from "./adapters/files/shelf.ts";
import { watchFile } from "./adapters/files/watch.ts";
import { folderWorkspaces } from "./adapters/git/workspaces.ts";
import type { Identity, Keeper } from "./adapters/postgres/identity.ts";
import { isRunning } from "./adapters/processes/is-running.ts";
import type { Lock } from "./adapters/sqlite/lock.ts";
import { takeLock } from "./adapters/sqlite/lock.ts";
import { sqliteLog } from "./adapters/sqlite/log.ts";
import type { BootMark } from "./adapters/system/boot-mark.ts";
import { takeBootMark } from "./adapters/system/boot-mark.ts";
import { systemClock } from "./adapters/system/clock.ts";
import { desktopNotifier } from "./adapters/system/desktop-notifier.ts";
import { programVersions } from "./adapters/system/program-versions.ts";
import { pooledRandom } from "./adapters/system/random.ts";
import type { SharedClock } from "./adapters/system/shared-clock.ts";
import { sharedClock } from "./adapters/system/shared-clock.ts";
import { tmuxTerminals } from "./adapters/tmux/terminals.ts";
import type { Config } from "./config.ts";
import { loadConfig } from "./config.ts";
import { Refusal } from "./core/model/errors.ts";
import { meeting, SUCCESSOR } from "./core/text/semver.ts";
import type { Manner } from "./daemon/daemon.ts";
import { startDaemon } from "./daemon/daemon.ts";
import type { Releasers } from "./daemon/engine/releasers.ts";
import { withReleasers } from "./daemon/engine/releasers.ts";
import { inherited } from "./daemon/secrets/inherited.ts";
import { keptJson } from "./daemon/secrets/kept-json.ts";
import type { Clock, Journal, Log, Ports } from "./ports.ts";
import { readSecret } from "./reach-config/secret.ts";
import { ConfigError } from "./settings.ts";
import { whyShared } from "./state-folder.ts";
import { version } from "./version.ts";

const READY = 3;
/** Folders come and go beside the state folder: it is looked at this often at most. */
const LOOK_EVERY_MS = 1000;
const MAX_SOCKET_PATH = 107;

async function main(): Promise<void> {
  const read = loadConfig(process.env, "/");
  const config = { ...read, env: inherited(read.env) };
  const repair = process.argv.includes("--repair");
  const webDir = path.join(path.dirname(fileURLToPath(import.meta.url)), "web");
  prepareFolder(config);
  await withReleasers(systemClock, (releasers) => serve(config, { repair, webDir }, releasers));
}

async function serve(config: Readonly<Config>, how: Manner, releasers: Releasers): Promise<void> {
  const { stateDir, settings } = config;
  const lock = await takeLockUnlessSucceeded(stateDir);
  releasers.add("the lock", () => lock.release());
  const file = path.join(stateDir, "daemon.log");
  const journal = fileJournal({
    file,
    level: settings.log.level,
    maxBytes: settings.log.max_mb * 1e6,
    keep: settings.log.keep,
    now: Date.now,
  });
  releasers.add("the journal", () => journal.close());
  // Node's own warnings go to standard error. Nobody reads that once we run, so writing there would end us.
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => journal.warn("node warns", { name, warning: message }));
  process.stderr.on("error", () => {});
  process.on("uncaughtException", (error) => crash(journal, error));
  process.on("unhandledRejection", (error) => crash(journal, error));

  const boot = takeBootMark(stateDir);
  if (boot.wentDown) journal.warn("the machine went down while a daemon was running");
  const clock = sharedClock(systemClock);
  const ports = portsOf(config, journal, boot, await logOf(config, journal, clock), clock);
  const daemon = await startDaemon(ports, config, how).catch((error) => {
    boot.restore();
    throw error;
  });
  releasers.add("the pid", () => {
    if (lock.isInPlace()) fs.rmSync(path.join(stateDir, "daemon.pid"), { force: true });
  });
  fs.writeFileSync(path.join(stateDir, "daemon.pid"), `${process.pid}\n`, { mode: 0o600 });
  process.on("SIGTERM", daemon.stop);
  process.on("SIGINT", daemon.stop);
  releasers.add(
    "the watch over the folder",
    whenGone(stateDir, lock, journal, () => daemon.stop()),
  );
  report({ ready: true, pid: process.pid });

  await daemon.stopped.catch((error: Error) => {
    journal.error("not everything was released", { error: error.message });
    throw new Refusal("daemon.failed", `the daemon did not stop cleanly: ${error.message}`, "oj daemon logs");
  });
  if (lock.isInPlace()) boot.clear();
  await releasers.release();
}

/** A daemon whose state folder is gone would go on for ever, and what it is told would be lost with it. */
function whenGone(stateDir: string, lock: Lock, journal: Journal, stop: () => void): () => void {
  const changed = () => {
    if (lock.isInPlace()) return;
    journal.error("the state folder was moved or deleted, so nobody can find this daemon", { stateDir });
    stop();
  };
  const failed = ({ message }: Error) => journal.warn("can't watch the state folder", { error: message });
  const input = { everyMs: LOOK_EVERY_MS, changed, failed };
  const ends = [...new Set([stateDir, fs.realpathSync(stateDir)])].map((it) => watchFile(it, input));
  return () => {
    for (const end of ends) end();
  };
}

const SUCCESSOR_WITHIN_MS = 10_000;

/** Takes the lock, but not while a newer oj is about to start its own daemon, for which it stopped the previous one. */
async function takeLockUnlessSucceeded(stateDir: string): Promise<Lock> {
  const file = path.join(stateDir, SUCCESSOR);
  for (;;) {
    const lock = await takeLock(stateDir);
    if (!isSucceeded(file)) {
      fs.rmSync(file, { force: true });
      return lock;
    }
    await lock.release();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function isSucceeded(file: string): boolean {
  try {
    const age = Math.abs(Date.now() - fs.statSync(file).mtimeMs);
    return age < SUCCESSOR_WITHIN_MS && meeting(fs.readFileSync(file, "utf8"), version) === "newer";
  } catch {
    return false;
  }
}

/** The log: in the state folder, or in the team's database, which alone needs its driver. */
async function logOf(config: Readonly<Config>, journal: Journal, { agree }: SharedClock): Promise<Log> {
  const { stateDir, settings } = config;
  const { url, password_file } = settings.store;
  const here = path.dirname(fileURLToPath(import.meta.url));
  if (url === "") {
    const workers = {
      store: path.join(here, "sqlite-worker.cjs"),
      snapshot: path.join(here, "sqlite-snapshot-worker.cjs"),
    };
    return sqliteLog({ dir: stateDir, version, workers });
  }
  const { postgresLog } = await import("./adapters/postgres/log.ts");
  const password = password_file === "" ? null : await readSecret(password_file, config);
  const worker = path.join(here, "postgres-snapshot-worker.cjs");
  return postgresLog({ url, password, version, keeper: keeperIn(stateDir), journal, worker, agree });
}

/** Who this daemon is to the others that share its store. */
function keeperIn(folder: string): Keeper {
  const kept = keptJson<Identity>(path.join(folder, "machine.json"), null);
  let key: MachineKey | null = null;
  return {
    folder,
    key: () => (key ??= keyOf(folder)),
    load: () => kept.read(),
    save: (identity) => kept.save(identity),
  };
}

function portsOf(
  config: Readonly<Config>,
  journal: Journal & { close(): Promise<void> },
  { wentDown, settle }: BootMark,
  log: Log,
  clock: Clock,
): Ports {
  const { stateDir, settings, env } = config;
  const { jobs } = settings;
  return {
    log,
    shell: bashShell({
      dir: path.join(stateDir, "runs"),
      killAfterMs: jobs.kill_after_s * 1000,
      wentDown,
      settle,
    }),
    workspaces: folderWorkspaces({ dir: path.join(stateDir, "workspaces"), env }),
    files: jobFiles({ dir: path.join(stateDir, "jobs"), maxBytes: jobs.log_max_mb * 1e6, journal }),
    terminals: tmuxTerminals({
      socket: path.join(stateDir, "tmux.sock"),
      dir: path.join(stateDir, "agents"),
      maxBytes: jobs.log_max_mb * 1e6,
      killAfterMs: jobs.kill_after_s * 1000,
      journal,
      env,
    }),
    notifier: desktopNotifier({ platform: process.platform, env, journal }),
    programs: programVersions(),
    readScripts: bashReader({ dir: path.join(stateDir, "reading"), env }),
    readSource: sourceReader(),
    realPaths,
    isRunning,
    channels: {
      slack: async (given) =>
        (await import("./adapters/slack/service.ts")).slackService(given, { clock: systemClock, journal }),
      smtp: async (given) => (await import("./adapters/smtp/smtp.ts")).smtpSender(given),
      imap: async (given) =>
        (await import("./adapters/imap/imap.ts")).imapReader(given, { clock: systemClock, journal }),
    },
    beads: bdBeads({ env }),
    clock,
    journal,
    random: pooledRandom(),
    shelf: () => fileShelf({ dir: stateDir, failed: (error) => crash(journal, error) }),
  };
}

/** Makes sure that the state folder is ours alone, and that the socket's path fits the system's limit. */
function prepareFolder({ stateDir, socket, home }: Readonly<Config>): void {
  const length = Buffer.byteLength(socket) + 2; // tmux.sock is the longer name
  if (length > MAX_SOCKET_PATH) {
    const message = `the socket's path has ${length} bytes; the system allows ${MAX_SOCKET_PATH}: ${socket}`;
    throw new Refusal("daemon.failed", message, "set OJ_STATE_DIR to a folder with a shorter path");
  }
  try {
    makeFolder(stateDir);
    if (!fs.statSync(stateDir).isDirectory()) throw new Error(`${stateDir} is not a folder`);
    const shared = whyShared(stateDir, home);
    if (shared !== null) throw new Error(`${stateDir} would be closed to everybody else, and ${shared}`);
    fs.chmodSync(stateDir, 0o700);
    fs.accessSync(stateDir, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
  } catch (error) {
    throw new Refusal(
      "store.read-only",
      `the state folder can't be used: ${(error as Error).message}`,
      "set OJ_STATE_DIR to a folder of your own",
    );
  }
}

/** Whoever started us reads one line. It is fine if nobody does (started by hand, or the starter is gone). */
function report(readiness: object): void {
  try {
    fs.writeSync(READY, `${JSON.stringify(readiness)}\n`);
    fs.closeSync(READY);
  } catch {
    // there is no descriptor 3
  }
}

/** Handles a bug. Everything acknowledged is on disk, so the safest thing is to exit and be started again. */
function crash(journal: Journal & { close(): Promise<void> }, error: unknown): void {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  journal.error("crashed", { error: message, stack });
  try {
    fs.writeSync(2, `${stack ?? message}\n`);
  } catch {
    // whoever started us is gone
  }
  void journal.close().finally(() => process.exit(70));
}

main().catch((error: Error) => {
  const refusal =
    error instanceof Refusal
      ? error
      : error instanceof ConfigError
        ? new Refusal("config.invalid", error.message, "oj doctor")
        : new Refusal("daemon.failed", `the daemon did not start: ${error.message}`, "oj doctor");
  report({ ready: false, code: refusal.code, message: refusal.message, hint: refusal.hint });
  fs.writeSync(
    2,
    `✗ ${refusal.message}\n${refusal.hint ? `  → ${refusal.hint}\n` : ""}${error instanceof Refusal ? "" : `${error.stack}\n`}`,
  );
  process.exit(3); // our threads must not keep a daemon alive that never started
});
