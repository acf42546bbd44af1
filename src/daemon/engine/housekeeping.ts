/** Once a day, and whenever too much has been settled since, lets go of what has been over for long enough. */
import type { Settings } from "../../config.ts";
import type { State } from "../../core/model/state/state.ts";
import { forgetOld } from "../../core/retention.ts";
import type { Ports } from "../../ports.ts";
import { alarm } from "./alarm.ts";
import type { Engine } from "./engine.ts";

const DAY_MS = 86_400_000;
const AT_ONCE = 100;
/** More than may stay by so many: worth a round before the day is over. */
const SLACK = 500;

export interface Housekeeping {
  stop(): void;
}

export function startHousekeeping(
  engine: Engine,
  ports: Pick<Ports, "clock" | "journal">,
  history: Settings["history"],
): Housekeeping {
  let disarm = () => {};
  let stopped = false;
  let busy = false;
  /** With so many settled decisions the next round begins. What can't go (owed, or of a job that runs) must not begin one at every event. */
  let enough = Number.POSITIVE_INFINITY;

  async function tidy(): Promise<void> {
    const before_ms = ports.clock.now() - history.keep_days * DAY_MS;
    let gone = 0;
    while (!stopped) {
      const input = { before_ms, max_decisions: history.max_decisions, limit: AT_ONCE };
      const events = await engine.run((state) => forgetOld(state, input));
      gone += events.length;
      if (events.length < AT_ONCE) break;
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    enough = Math.max(await engine.read(settledIn), history.max_decisions) + SLACK;
    if (gone > 0) ports.journal.info("removed what ended long ago", { count: gone });
  }

  function next(): void {
    if (stopped) return;
    const now = ports.clock.now();
    disarm = alarm(ports.clock, now, now + DAY_MS, round);
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
      disarm();
    },
  };
}

function settledIn({ decisions, pending }: Readonly<State>): number {
  return decisions.size - pending.size;
}
