/**
 * Replaces a daemon that is older than we are: once, however many callers try to, and whatever else calls at the same
 * moment.
 */
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ApiClient, DaemonStatus } from "../api/api.ts";
import { Refusal } from "../core/model/errors.ts";
import { meeting, SUCCESSOR } from "../core/text/semver.ts";
import { version } from "../version.ts";
import type { Target } from "./client.ts";
import { clientOf } from "./client.ts";
import type { Connection } from "./connection.ts";
import { isAbsent, isDisconnect } from "./disconnect.ts";
import { untilGone } from "./process.ts";
import { spawnDaemon } from "./spawn-daemon.ts";

const STOPS_WITHIN_MS = 30_000;
const LOOK_AGAIN_MS = 50;

/** Returns the client to use from now on: the new daemon's, or the old one's if a stop would interrupt work. */
export async function replaceDaemon(
  connection: Connection,
  target: Target,
  sayOnce: (text: string) => void,
): Promise<ApiClient> {
  const old = clientOf({ ...target, anyVersion: true });
  const status = await statusOf(old);
  if (status === null) await spawnDaemon(connection);
  if (status === null || meeting(version, status.version) !== "newer") return clientOf(target); // somebody was faster
  if (status.running_jobs > 0) {
    const count = status.running_jobs === 1 ? "a step" : `${status.running_jobs} steps`;
    sayOnce(
      `oj ${version} is using the running daemon (${status.version}), which is busy with ${count}; to replace it: oj daemon restart`,
    );
    return old;
  }
  connection.say(`replacing the running daemon (${status.version}) with ${version}`);
  announce(connection.stateDir);
  await stopDaemon(old, status.pid);
  await spawnDaemon(connection);
  return clientOf(target);
}

/** The daemon's status, once we get it: a daemon that is stopping breaks off calls. Null: it is gone. */
async function statusOf(client: ApiClient): Promise<DaemonStatus | null> {
  for (const deadline = Date.now() + STOPS_WITHIN_MS; ; await sleep(LOOK_AGAIN_MS)) {
    try {
      return await client.health();
    } catch (error) {
      if (isAbsent(error)) return null;
      if (!isDisconnect(error) || Date.now() > deadline) throw error;
    }
  }
}

/**
 * After the old daemon is gone and before ours is up, an older oj might start its own. The file written here tells it
 * that ours is coming.
 */
function announce(stateDir: string): void {
  try {
    fs.writeFileSync(path.join(stateDir, SUCCESSOR), version, { mode: 0o600 });
  } catch {
    // at worst, that oj's daemon is replaced in turn
  }
}

/** Asks this daemon and no other to stop, and returns when its process is gone. */
async function stopDaemon(client: ApiClient, pid: number): Promise<void> {
  await client.stop({ kill: false, pid }).catch((error) => {
    if (!isDisconnect(error)) throw error; // it is already stopping
  });
  if (await untilGone(pid, STOPS_WITHIN_MS)) return;
  throw new Refusal(
    "daemon.failed",
    `the daemon (pid ${pid}) did not stop within ${STOPS_WITHIN_MS / 1000} s`,
    "oj daemon stop --kill",
  );
}
