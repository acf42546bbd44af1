/** The thread that makes one snapshot and ends: folding never takes time from the daemon. */
import { parentPort, workerData } from "node:worker_threads";
import { addressOf } from "./address.ts";
import { connect } from "./connection.ts";
import { storeError } from "./errors.ts";
import { pagesAt } from "./pages.ts";
import { foldLog } from "./snapshots.ts";

export interface SnapshotWork {
  url: string;
  password: string | null;
  version: string;
  seq: number;
}

/** What snapshots now cover, or why none was made. */
export type SnapshotDone = { covered: number } | { problem: string };

const CONNECT_MS = 5000;

void work(workerData as SnapshotWork).then((it) => parentPort?.postMessage(it));

async function work({ url, password, version, seq }: SnapshotWork): Promise<SnapshotDone> {
  const address = addressOf(url, password);
  const { shown } = address;
  try {
    const connection = await connect(address, CONNECT_MS);
    try {
      return { covered: await foldLog(connection, { pages: pagesAt(shown), seq, version, shown }) };
    } finally {
      await connection.close();
    }
  } catch (error) {
    return { problem: storeError(error, shown).message };
  }
}
