/**
 * How the tabs of one browser share a connection to the daemon (a browser allows six per host): one tab leads and
 * passes on every event to the others. When it is closed, the next in line leads.
 */
import type { Event } from "../../core/model/events.ts";

export type Told =
  /** The events after that number, in order. */
  | { type: "events"; after: number; events: readonly Event[] }
  /** The leading tab now receives everything after that number. */
  | { type: "live"; seq: number }
  /** The daemon has no stream for the leading tab, which tries again then. */
  | { type: "full"; why: string; retry_at_ms: number }
  /** The leading tab has lost the daemon. */
  | { type: "lost" }
  /** Another tab has reached the daemon: this one should try too. */
  | { type: "reached" };

export interface Tabs {
  leads(): boolean;
  tell(told: Told): void;
  leave(): void;
}

const NAME = "oj-events";

/** In a browser without locks, every tab leads itself. */
export function joinTabs(onTold: (told: Told) => void, onLead: () => void): Tabs {
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = ({ data }: MessageEvent<Told>) => onTold(data);
  let leave = () => {};
  let leads = !("locks" in navigator);
  const isOver = new Promise<void>((resolve) => {
    leave = resolve;
  });
  if (!leads)
    void navigator.locks.request(NAME, () => {
      leads = true;
      onLead();
      return isOver; // the lock is held until then, or until the tab is closed
    });
  return {
    leads: () => leads,
    tell: (told) => channel.postMessage(told),
    leave() {
      leads = false;
      channel.close();
      leave();
    },
  };
}
