/** Makes a snapshot every so many events, and removes events that are far behind it. */

import type { Ports } from "../../ports.ts";
import type { Settings } from "../../settings.ts";
import type { Engine } from "./engine.ts";

export interface Snapshots {
  /** Waits for a snapshot in progress, and makes a last one if enough has happened. */
  stop(): Promise<void>;
}

/** After this many events a snapshot at the stop is worth its time: it saves the next start from reading them. */
const WORTH_IT = 2000;

export function startSnapshots(
  engine: Engine,
  ports: Pick<Ports, "log" | "journal">,
  store: Settings["store"],
  last: number,
): Snapshots {
  let newest = last;
  let making: Promise<void> | null = null;

  const scouring = ports.log
    .scour()
    .catch((error: Error) => ports.journal.warn("erased texts are still on disk", { error: error.message }));
  const unwatch = engine.watch(() => {
    if (engine.seq() - newest >= store.snapshot_every) void make();
  });

  function make(): Promise<void> {
    const seq = engine.seq();
    making ??= ports.log
      .snapshot(seq)
      .then(async () => {
        newest = seq;
        const gone = await ports.log.compact(seq - store.keep_events);
        ports.journal.info("snapshot", { seq, compacted: gone });
      })
      .catch((error: Error) => {
        newest = seq; // otherwise we would try again at every event: the next try comes in its turn
        ports.journal.warn("could not make a snapshot", { seq, error: error.message });
      })
      .finally(() => {
        making = null;
      });
    return making;
  }

  return {
    async stop() {
      unwatch();
      await scouring;
      await making;
      if (engine.seq() - newest >= WORTH_IT && engine.trouble() === null) await make();
    },
  };
}
