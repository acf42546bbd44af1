/** Once a day, lets go of what has been over for long enough. */
import type { Settings } from "../config.ts";
import { forgetOld } from "../core/retention.ts";
import { alarm } from "./alarm.ts";
import type { Engine } from "./engine.ts";
import type { Ports } from "./ports.ts";

const DAY_MS = 86_400_000;
const AT_ONCE = 500;

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

  async function tidy(): Promise<void> {
    const before_ms = ports.clock.now() - history.keep_days * DAY_MS;
    let gone = 0;
    while (!stopped) {
      const input = { before_ms, max_decisions: history.max_decisions, limit: AT_ONCE };
      const events = await engine.run((state) => forgetOld(state, input));
      gone += events.length;
      if (events.length < AT_ONCE) break;
    }
    if (gone > 0) ports.journal.info("let go of what was over long ago", { count: gone });
  }

  function next(): void {
    if (stopped) return;
    const now = ports.clock.now();
    disarm = alarm(ports.clock, now, now + DAY_MS, round);
  }

  function round(): void {
    tidy()
      .catch((error: Error) => ports.journal.warn("the daily tidying failed", { error: error.message }))
      .finally(next);
  }

  round();
  return {
    stop() {
      stopped = true;
      disarm();
    },
  };
}
