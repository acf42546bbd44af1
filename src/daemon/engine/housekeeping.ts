/** Removes what ended long enough ago: once a day, and whenever too much has been settled since. */

import type { Fact } from "../../core/model/events.ts";
import type { DecisionId } from "../../core/model/ids.ts";
import type { State } from "../../core/model/state/state.ts";
import { forgetOld, stillOld, unfetchedIn } from "../../core/retention.ts";
import type { Ports } from "../../ports.ts";
import type { Settings } from "../../settings.ts";
import type { Engine } from "./engine.ts";
import { startTimers } from "./timers.ts";

const DAY_MS = 86_400_000;
/** How many are removed in one commit, and how many are found in one walk through all of them. */
const AT_ONCE = 50;
const FOUND_AT_ONCE = 1000;
/** How far the limit may be exceeded before a round begins early. */
const SLACK = 500;

export interface Housekeeping {
  stop(): void;
}

export function startHousekeeping(
  engine: Engine,
  ports: Pick<Ports, "clock" | "journal">,
  history: Settings["history"],
): Housekeeping {
  const timers = startTimers(ports.clock);
  let disarm = () => {};
  let stopped = false;
  let busy = false;
  /**
   * The number of settled decisions that starts the next round. Decisions that can't be removed (owed, or of a running
   * job) must not start one at every event.
   */
  let enough = Number.POSITIVE_INFINITY;

  async function tidy(): Promise<void> {
    const before_ms = ports.clock.now() - history.keep_days * DAY_MS;
    const input = { before_ms, max_decisions: history.max_decisions, limit: FOUND_AT_ONCE };
    let gone = 0;
    while (!stopped) {
      const removed = await remove(await engine.read((state) => forgetOld(state, input)), before_ms);
      gone += removed;
      if (removed === 0) break;
    }
    enough = Math.max(await engine.read(settledIn), history.max_decisions) + SLACK;
    if (gone > 0) ports.journal.info("removed what ended long ago", { count: gone });
  }

  /** A few at a time, so that nobody waits for it. */
  async function remove(facts: readonly Fact[], before_ms: number): Promise<number> {
    let gone = 0;
    for (let from = 0; from < facts.length && !stopped; from += AT_ONCE) {
      const some = facts.slice(from, from + AT_ONCE);
      let lost: DecisionId[] = [];
      const events = await engine.run((state) => {
        const right = stillOld(state, some, before_ms);
        lost = unfetchedIn(state, right);
        return right;
      });
      if (lost.length > 0) ports.journal.warn("removed answers that nobody fetched", { ids: lost });
      gone += events.length;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    return gone;
  }

  function next(): void {
    if (stopped) return;
    const now = ports.clock.now();
    disarm = timers.set(now, now + DAY_MS, round);
  }

  function round(): void {
    if (busy) return;
    busy = true;
    disarm();
    tidy()
      .catch((error: Error) => ports.journal.warn("cleaning up failed", { error: error.message }))
      .finally(() => {
        busy = false;
        next();
      });
  }

  const unwatch = engine.watch((_, state) => {
    if (settledIn(state) > enough) round();
  });
  round();
  return {
    stop() {
      stopped = true;
      unwatch();
      timers.stop();
    },
  };
}

function settledIn({ decisions, pending }: Readonly<State>): number {
  return decisions.size - pending.size;
}
