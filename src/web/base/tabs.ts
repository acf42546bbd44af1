/**
 * The tabs of one browser among themselves: one of them leads and tells the others what it hears, so that all of them need one
 * connection to the daemon (a browser has six for a host). When it is closed the next in line leads.
 */
import type { Event } from "../../core/model/events.ts";

export type Told =
  /** What happened after that number, in order. */
  | { type: "events"; after: number; events: readonly Event[] }
  /** The one who leads hears everything after that number. */
  | { type: "live"; seq: number }
  /** It hears nothing any more. */
  | { type: "lost" }
  /** Another has reached the daemon: it should try as well. */
  | { type: "reached" };

export interface Tabs {
  leads(): boolean;
  tell(told: Told): void;
  leave(): void;
}

const NAME = "oj-events";

/** Without locks each tab leads itself. */
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
      return isOver; // held until then, or until the tab is closed
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
