/**
 * The thread that makes one snapshot, or reads what lies behind the newest, and ends: folding never takes time from commits or from the
 * daemon.
 */
import os from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { loadDriver } from "./driver.ts";
import { realFiles } from "./files.ts";
import { foldLog, verifyLog } from "./fold.ts";
import type { SnapshotReply, SnapshotThread } from "./messages.ts";
import { toFailure } from "./messages.ts";

yieldToOthers();
void reply(workerData as SnapshotThread).then((it) => parentPort?.postMessage(it));

async function reply({ dir, version, seq }: SnapshotThread): Promise<SnapshotReply> {
  try {
    const place = { dir, version, driver: await loadDriver(), files: realFiles };
    return seq === null ? { damage: verifyLog(place) } : foldLog(place, seq);
  } catch (error) {
    return toFailure(error);
  }
}

/**
 * Nobody waits for a snapshot. On Linux one thread can have a lower priority than the rest of its process; elsewhere it would be all of
 * them.
 */
function yieldToOthers(): void {
  if (process.platform !== "linux") return;
  try {
    os.setPriority(os.constants.priority.PRIORITY_LOW);
  } catch {
    // then it has the same priority as the others
  }
}
