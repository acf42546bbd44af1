/** The thread that makes one snapshot and ends, so that folding never takes time from commits or from the daemon. */
import { parentPort, workerData } from "node:worker_threads";
import { loadDriver } from "./sqlite-driver.ts";
import { realFiles } from "./sqlite-files.ts";
import { foldLog } from "./sqlite-fold.ts";
import type { SnapshotReply, SnapshotThread } from "./sqlite-messages.ts";
import { toFailure } from "./sqlite-messages.ts";

void reply(workerData as SnapshotThread).then((it) => parentPort?.postMessage(it));

async function reply({ dir, version, seq }: SnapshotThread): Promise<SnapshotReply> {
  try {
    return foldLog({ dir, version, driver: await loadDriver(), files: realFiles }, seq);
  } catch (error) {
    return toFailure(error);
  }
}
