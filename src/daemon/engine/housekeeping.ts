/** Removes what ended long enough ago: once a day, and whenever too much has been settled since. */

import type { DecisionId } from "../../core/model/ids.ts";
import type { State } from "../../core/model/state/state.ts";
import { forgetOld, unfetchedIn } from "../../core/retention.ts";
import type { Ports } from "../../ports.ts";
import type { Settings } from "../../settings.ts";
import type { Engine } from "./engine.ts";
import { startTimers } from "./timers.ts";

const DAY_MS = 86_400_000;
const AT_ONCE = 100;
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
    let gone = 0;
    while (!stopped) {
      const input = { before_ms, max_decisions: history.max_decisions, limit: AT_ONCE };
      let unfetched: DecisionId[] = [];
      const events = await engine.run((state) => {
        const facts = forgetOld(state, input);
        unfetched = unfetchedIn(state, facts);
        return facts;
      });
      if (unfetched.length > 0) ports.journal.warn("removed answers that nobody fetched", { ids: unfetched });
      gone += events.length;
      if (events.length === 0) break;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    enough = Math.max(await engine.read(settledIn), history.max_decisions) + SLACK;
    if (gone > 0) ports.journal.info("removed what ended long ago", { count: gone });
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
