/** The thread that makes one snapshot, or reads what lies behind the newest, and ends: so that folding never takes time from commits or from the daemon. */
import { parentPort, workerData } from "node:worker_threads";
import { loadDriver } from "./sqlite-driver.ts";
import { realFiles } from "./sqlite-files.ts";
import { foldLog, verifyLog } from "./sqlite-fold.ts";
import type { SnapshotReply, SnapshotThread } from "./sqlite-messages.ts";
import { toFailure } from "./sqlite-messages.ts";

void reply(workerData as SnapshotThread).then((it) => parentPort?.postMessage(it));

async function reply({ dir, version, seq }: SnapshotThread): Promise<SnapshotReply> {
  try {
    const place = { dir, version, driver: await loadDriver(), files: realFiles };
    return seq === null ? { damage: verifyLog(place) } : foldLog(place, seq);
  } catch (error) {
    return toFailure(error);
  }
}
