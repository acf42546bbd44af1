/** The machines that share the log: which of them are there, and which of the chores are this one's. */
import { machineJoined, nameOf } from "../../core/control/machine.ts";
import type { Effect } from "../../core/model/effects.ts";
import type { MachineName } from "../../core/model/ids.ts";
import { firstOf, homeOf, stateAt } from "../../core/model/state/home.ts";
import type { State } from "../../core/model/state/state.ts";
import { owingOf } from "../../core/owed.ts";
import type { Ports, Presence } from "../../ports.ts";
import type { Engine } from "./engine.ts";

export interface Machines {
  /** This one; null: there can be no others. */
  readonly self: MachineName | null;
  /** Since when the machine has been away; null while it is there. */
  awaySince(name: MachineName): number | null;
  /** Whether the last look found it at work. */
  isPresent(name: MachineName): boolean;
  /** Adds since when its machine has been away. */
  placed<T extends { machine: MachineName | null }>(view: T): T & { away_since_ms: number | null };
  /** Whether the chore is for this daemon. Each is for exactly one. */
  keeps(state: State, effect: Effect): boolean;
  /** Looks who is there. */
  look(): Promise<void>;
  stop(): void;
}

/** So often this daemon says that it is there. */
const LOOK_MS = 5000;
/** Deadlines and messages of a machine that is away for longer are taken care of by another one. */
const STAND_IN_AFTER_MS = 30_000;

/** After this long, a machine that the store has not seen is away. */
const UNSEEN_MS = 15_000;

export function startMachines(
  { log, clock, journal }: Pick<Ports, "log" | "clock" | "journal">,
  self: MachineName | null,
  /** Somebody left or came back: other chores may be ours now, and views say so. */
  changed: () => void,
): Machines {
  let seen = new Map<MachineName, Presence>();
  /** Machines that the log knows and the store has not seen yet, with when we first looked for them. */
  const unseen = new Map<MachineName, number>();
  /** Who was there at the last look; null: there was none yet. */
  let last: string | null = null;
  let stopped = false;
  let disarm = () => {};

  async function look(): Promise<void> {
    if (self === null) return;
    seen = new Map((await log.machines(self)).map((it) => [it.name, it]));
    for (const name of seen.keys()) unseen.delete(name);
    const before = last;
    last = whoIsThere();
    if (before !== null && last !== before) changed();
  }

  function again(): void {
    disarm = clock.after(LOOK_MS, () => {
      look()
        .catch((error: Error) =>
          journal.debug("could not see which machines are there", { error: error.message }),
        )
        .finally(() => {
          if (!stopped) again();
        });
    });
  }
  if (self !== null) again();

  const isThere = (name: MachineName) => name === self || goneFor(name) < STAND_IN_AFTER_MS;

  /** Who acts in place of a machine that is away: the same one, whoever is asked, also while another one joins. */
  const standIn = ({ machines }: State) =>
    [...machines.keys()].find((it) => seen.has(it) && isThere(it)) ?? self;
  const whoIsThere = () => {
    const others = [...unseen.keys()].filter((it) => !seen.has(it));
    const known = [...seen.keys(), ...others];
    return JSON.stringify(known.map((it) => [it, awaySince(it) === null, isThere(it)]));
  };

  /** One that the store has not seen has just joined, or was never there since the store was copied or restored. */
  const unseenSince = (name: MachineName) => {
    const since = unseen.get(name) ?? clock.now();
    unseen.set(name, since);
    return since;
  };
  const goneFor = (name: MachineName) => {
    const known = seen.get(name);
    return known ? (known.away?.for_ms ?? 0) : clock.now() - unseenSince(name);
  };
  const awaySince = (name: MachineName) => {
    const known = seen.get(name);
    if (name === self || known !== undefined) return known?.away?.since_ms ?? null;
    return goneFor(name) < UNSEEN_MS ? null : unseenSince(name);
  };

  return {
    self,
    awaySince,
    isPresent: (name) => name === self || seen.get(name)?.away === null,
    placed: (view) => ({ ...view, away_since_ms: view.machine === null ? null : awaySince(view.machine) }),
    keeps(state, effect) {
      if (self === null) return true;
      // nobody else has the folder; one from before there were machines is the first one's
      if (effect.type === "mirror") return (effect.machine ?? firstOf(state)) === self;
      const home = homeOf(state, owingOf(effect));
      if (home === self) return true;
      if (!("decision_id" in effect)) return false; // nobody takes over a shell
      const isHome = home !== null && isThere(home) && !state.machines.get(home)?.forgotten;
      return (isHome ? home : standIn(state)) === self;
    },
    look,
    stop() {
      stopped = true;
      disarm();
    },
  };
}

/** The engine for what lives on this machine: only its agents, jobs and crews are there. */
export function atHome(engine: Engine, self: MachineName | null): Engine {
  if (self === null) return engine;
  return {
    ...engine,
    read: (look) => engine.read((state) => look(stateAt(state, self))),
    watch: (watcher) => engine.watch((events, state) => watcher(events, stateAt(state, self))),
  };
}

/** The name of this machine among those that share the log; null if there can be no others. */
export async function joined(engine: Engine, key: string | null, name: string): Promise<MachineName | null> {
  if (key === null) return null;
  const known = () => engine.read((state) => nameOf(state, key));
  const before = await known();
  if (before !== null) return before; // without a write: a store of a newer oj can still be read
  await engine.run((state) => machineJoined(state, { key, name }));
  return known();
}
