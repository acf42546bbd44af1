/** Wakes whoever waits for a decision or a job when something happens to it. */
import { idsOf } from "../../core/model/events.ts";
import type { Engine } from "./engine.ts";

export interface Hub {
  /** Calls whenever an event names that id, until the returned function is called. */
  on(id: string, call: () => void): () => void;
  /** Returns at the next event that names one of the ids, or when aborted, such as by a deadline. */
  next(ids: readonly string[], abort: AbortSignal): Promise<void>;
}

export function startHub(engine: Engine): Hub {
  const callbacks = new Map<string, Set<() => void>>();
  engine.watch((events) => {
    const ids = new Set(events.flatMap(idsOf));
    for (const id of ids) for (const call of [...(callbacks.get(id) ?? [])]) call();
  });

  function on(id: string, call: () => void): () => void {
    const all = callbacks.get(id) ?? new Set();
    callbacks.set(id, all.add(call));
    return () => {
      all.delete(call);
      if (all.size === 0 && callbacks.get(id) === all) callbacks.delete(id);
    };
  }

  function next(ids: readonly string[], abort: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (abort.aborted) return resolve();
      const end = () => {
        for (const off of offs) off();
        abort.removeEventListener("abort", end);
        resolve();
      };
      const offs = ids.map((id) => on(id, end));
      abort.addEventListener("abort", end, { once: true });
    });
  }

  return { on, next };
}
