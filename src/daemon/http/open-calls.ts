/**
 * Calls that wait, of callers whose proof can be taken back: a token, a browser's login. Each is looked at anew when
 * that may have happened, on whatever machine, and when its token expires. Commits wake it, and one timer; it does not
 * poll.
 */
import type { Event } from "../../core/model/events.ts";
import type { Clock, Journal } from "../../ports.ts";
import type { Engine } from "../engine/engine.ts";
import type { Releasers } from "../engine/releasers.ts";
import { startTimers } from "../engine/timers.ts";
import type { Logins } from "../secrets/logins.ts";
import { startLogins } from "../secrets/logins.ts";
import type { Trust } from "../secrets/person-tokens.ts";

/** What the trust in a caller rests on. */
export interface Grounds {
  trust: Trust | null;
  /** The id of a browser's login. */
  login: string | null;
}

export interface OpenCalls {
  /** Calls `look` whenever what the call rests on may have ended. The returned function forgets the call. */
  hold(grounds: Grounds, look: () => void): () => void;
  /** How many are held. */
  size(): number;
}

interface Parts {
  engine: Pick<Engine, "watch">;
  logins: Pick<Logins, "onEnd">;
  clock: Clock;
}

/** The logins of browsers, and the watch over calls that rest on one, or on a token. */
export async function startTrust(
  file: string,
  parts: Omit<Parts, "logins"> & { journal: Journal },
  releasers: Pick<Releasers, "add">,
): Promise<{ logins: Logins; openCalls: OpenCalls }> {
  const logins = await startLogins(file, parts);
  return { logins, openCalls: startOpenCalls({ ...parts, logins }, releasers) };
}

export function startOpenCalls(
  { engine, logins, clock }: Parts,
  releasers: Pick<Releasers, "add">,
): OpenCalls {
  const timers = startTimers(clock);
  /** By what they rest on: a person's name, a login's id. */
  const held = new Map<string, Set<() => void>>();

  function wake(key: string): void {
    for (const look of [...(held.get(key) ?? [])]) look();
  }
  const unwatch = engine.watch((events) => {
    for (const key of new Set(events.flatMap(concerned))) wake(key);
  });
  const unhear = logins.onEnd((id) => wake(loginKey(id)));

  releasers.add("the watch over open calls", async () => {
    unwatch();
    unhear();
    timers.stop();
  });

  return {
    hold(grounds, look) {
      const keys = keysOf(grounds);
      for (const key of keys) held.set(key, (held.get(key) ?? new Set()).add(look));
      const until = grounds.trust?.expires_at_ms ?? null;
      const disarm = until === null ? () => {} : timers.set(clock.now(), until, look);
      return () => {
        disarm();
        for (const key of keys) {
          held.get(key)?.delete(look);
          if (held.get(key)?.size === 0) held.delete(key);
        }
      };
    },
    size: () => [...held.values()].reduce((sum, it) => sum + it.size, 0),
  };
}

function keysOf({ trust, login }: Grounds): string[] {
  return [...(trust === null ? [] : [memberKey(trust.member)]), ...(login === null ? [] : [loginKey(login)])];
}

const memberKey = (name: string) => `person ${name}`;
const loginKey = (id: string) => `login ${id}`;

/** Whose rights an event may have changed. That a token was used changes none. */
function concerned(event: Event): string[] {
  switch (event.type) {
    case "person:granted":
    case "person:ungranted":
    case "person:rotated":
    case "person:distrusted":
      return [memberKey(event.id)];
    case "person:removed":
      return [event.id, ...event.ended.services].map(memberKey);
    default:
      return [];
  }
}
