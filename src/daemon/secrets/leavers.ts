/**
 * People who left, on this machine: what its settings say about them counts no more, the browsers that were logged in
 * under their names are logged out, and messages to those end. Whoever has the name next gets none of it back.
 */
import type { Event } from "../../core/model/events.ts";
import type { State } from "../../core/model/state/state.ts";
import type { ReachConfig } from "../../core/reach/config-types.ts";
import { isOpenTo } from "../../core/rights/people.ts";
import type { Removed } from "../../core/roles/people.ts";
import type { Journal } from "../../ports.ts";
import type { Reach, ReadReach } from "../../reach-config/read.ts";
import type { Engine } from "../engine/engine.ts";
import type { Logins, WhoseLogin } from "./logins.ts";

export interface Leavers {
  /** The settings as they count: without the people who left. The same object until something changes. */
  from(read: ReadReach): ReadReach;
  /** From now on, their logins and their browsers' messages end with them; logins of before end now. */
  follow(parts: Kept): Promise<void>;
  /** Ends the messages of before, once there are channels. */
  tidy(): Promise<void>;
}

interface Kept {
  logins: Pick<Logins, "endThose">;
  /** The browsers that get push messages. */
  browsers(): Promise<{ remove(which: { person: string; until_ms: number }): Promise<number> } | null>;
  journal: Journal;
}

export function startLeavers(engine: Pick<Engine, "watch">, { removed: before }: State): Leavers {
  const removed = new Map(before.entries());
  let version = 0;
  let kept: Kept | null = null;

  async function endLogins(isMeant: (login: WhoseLogin) => boolean): Promise<void> {
    await kept?.logins.endThose(isMeant);
  }

  async function endMessages(gone: Removed): Promise<void> {
    await (await kept?.browsers())?.remove({ person: gone.id, until_ms: until(gone) });
  }

  async function noted(work: Promise<void>): Promise<void> {
    await work.catch((error: Error) =>
      kept?.journal.warn("what was left of a person could not be removed", { error: error.message }),
    );
  }

  engine.watch((events) => {
    for (const event of events) {
      const now = changed(removed, event);
      if (now === null) continue;
      version++;
      removed.set(now.id, now);
      if (event.type !== "person:removed") continue;
      void noted(endLogins((it) => it.user === now.id));
      void noted(endMessages(now));
    }
  });

  return {
    from(read) {
      let last: { of: Reach; version: number; reach: Reach } | null = null;
      return () => {
        const of = read();
        if (removed.size === 0) return of;
        if (last?.of !== of || last.version !== version)
          last = { of, version, reach: { ...of, config: without(of.config, removed) } };
        return last.reach;
      };
    },

    async follow(parts) {
      kept = parts;
      for (const it of [...removed.values()]) await noted(endLogins((login) => isLeft(login, it)));
    },

    async tidy() {
      for (const it of [...removed.values()]) await noted(endMessages(it));
    },
  };
}

/**
 * Found at a start: whoever has the name next may be logged in by now, but only with a token of their own, as long as
 * the doors that need none are shut.
 */
function isLeft({ user, token, created_at_ms }: WhoseLogin, { id, at_ms, doors }: Removed): boolean {
  return user === id && (created_at_ms <= at_ms || (token === undefined && !doors));
}

/** Nobody whose doors are shut has any; otherwise those from before are somebody else's. */
function until({ at_ms, doors }: Removed): number {
  return doors ? at_ms : Number.POSITIVE_INFINITY;
}

/** What is known of a name after this event; null: it is not about that. */
function changed(removed: ReadonlyMap<string, Removed>, event: Event): Removed | null {
  if (event.type === "person:removed") return { id: event.id, at_ms: event.at_ms, by: event.by };
  const before = event.type === "person:invited" && event.doors ? removed.get(event.id) : undefined;
  return before ? { ...before, doors: true } : null;
}

/** Rotas stay as they are: whose turn it is must not change for the others. A turn of theirs reaches nobody. */
function without(config: ReachConfig, removed: ReadonlyMap<string, Removed>): ReachConfig {
  const isHere = (name: string) => isOpenTo({ removed }, name);
  const people = new Map([...config.people].filter(([name]) => isHere(name)));
  const groups = new Map([...config.groups].map(([name, all]) => [name, all.filter(isHere)]));
  return { ...config, people, groups };
}
