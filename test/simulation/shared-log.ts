/** The one log of several machines, as a database is: its own time, its own idea of who is there, and it tells of news. */
import type { MachineName } from "../../src/core/model/ids.ts";
import type { Log } from "../../src/ports.ts";
import type { Time } from "./time.ts";

/** A machine that was not heard of for so long is away. */
const AWAY_AFTER_MS = 15_000;

export interface SharedLog {
  /** The log as one daemon sees it. */
  seenBy(machine: string, isOver: () => boolean): Log;
}

/** With one machine, nobody else ever writes, and the daemon's own clock counts. */
export function sharedLog(log: Log, time: Time, now: () => number, machines: number): SharedLog {
  if (machines === 1) return { seenBy: () => log };
  const heard = new Map<MachineName, { at: number; wall_ms: number }>();
  const followers = new Set<{ by: string; tell(): void }>();

  return {
    seenBy: (machine, isOver) => ({
      ...log,
      open: async (how) => ({ ...(await log.open(how)), machine }),
      async turn(after, decide) {
        let count = 0;
        await log.turn(after, (news) => {
          const events = decide(news, now());
          count = events.length;
          return events;
        });
        if (count === 0) return;
        for (const it of followers)
          if (it.by !== machine) time.after(time.span(1, 30), `${it.by} hears of news`, it.tell);
      },
      follow(call) {
        const follower = { by: machine, tell: () => !isOver() && call() };
        followers.add(follower);
        return () => void followers.delete(follower);
      },
      async machines(self) {
        heard.set(self, { at: time.now(), wall_ms: now() });
        return [...heard].map(([name, { at, wall_ms }]) => {
          const for_ms = time.now() - at;
          return { name, away: for_ms < AWAY_AFTER_MS ? null : { since_ms: wall_ms, for_ms } };
        });
      },
    }),
  };
}
