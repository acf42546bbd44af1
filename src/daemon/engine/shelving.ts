/** Keeps the memory small: settled decisions go on the shelf once nothing has happened to them for a while. */
import type { Engine } from "./engine.ts";

/** This many stay in memory: what was just settled is read, delivered and acknowledged next. */
const KEEP = 256;
/** How many are shelved at once: less than a millisecond's work. */
const SLICE = 32;

export interface Shelving {
  stop(): void;
}

export function startShelving(engine: Engine): Shelving {
  let stopped = false;
  let sweeping = false;

  /** Shelves everything that is due, in slices, so that other work can run in between. */
  async function sweep(): Promise<void> {
    if (sweeping) return;
    sweeping = true;
    try {
      while (!stopped && engine.shelve({ keep: KEEP, most: SLICE }))
        await new Promise<void>((resolve) => setImmediate(resolve));
    } finally {
      sweeping = false;
    }
  }

  const unwatch = engine.watch(() => void sweep());
  void sweep();
  return {
    stop() {
      stopped = true;
      unwatch();
    },
  };
}
