/** Mirrors decisions as beads: notices which projects want that, and does what is owed. The log is the truth. */
import type { BeadsView } from "../../api/api.ts";
import { beadOf, beadOfDeleted } from "../../core/mirror/bead.ts";
import { mirrorAgain, mirrorEffects, mirrored, mirrorOff, mirrorOn } from "../../core/mirror/mirror.ts";
import type { MirrorEffect } from "../../core/model/effects.ts";
import type { Event } from "../../core/model/events.ts";
import type { DecisionId, MachineName } from "../../core/model/ids.ts";
import type { Mirror, Unmirrored } from "../../core/model/mirror-types.ts";
import { mirrorKey } from "../../core/model/mirror-types.ts";
import type { State } from "../../core/model/state/state.ts";
import type { Ports } from "../../ports.ts";
import type { Recorder } from "../engine/chores.ts";
import type { Engine } from "../engine/engine.ts";
import type { Hider } from "../secrets/known.ts";
import type { BeadsLane } from "./lane.ts";
import { beadsLane } from "./lane.ts";
import type { Home } from "./place.ts";
import { beadsDirOf, homeIn } from "./place.ts";
import type { Tracker } from "./up-to-date.ts";
import { bringUpToDate } from "./up-to-date.ts";

export interface Mirroring {
  perform(effect: MirrorEffect, record: Recorder): Promise<void>;
  /** Reads the settings of the project that this folder belongs to, and records what has changed in them. */
  look(folder: string): Promise<Home | null>;
  /** The same for every project that is known to be mirrored, or has something pending. */
  lookAgain(): Promise<void>;
  states(): Promise<BeadsView[]>;
  /** Compares every decision of the project with its bead; returns once that is done, or can't be done now. */
  sync(root: string): Promise<{ checked: number; beads: BeadsView }>;
  stop(): void;
}

/** Decisions that are read in one go: nobody waits for long behind them. */
const PAGE = 200;

export function startMirroring(
  engine: Engine,
  ports: Pick<Ports, "beads" | "clock" | "journal">,
  {
    env,
    machine,
    hider,
  }: { env: Readonly<Record<string, string>>; machine: MachineName | null; hider: Hider },
): Mirroring {
  const { beads, clock, journal } = ports;
  const lanes = new Map<string, BeadsLane>();
  const stopping = new AbortController();
  const keyOf = (root: string) => mirrorKey(root, machine ?? undefined);
  const isOurs = (it: { machine?: MachineName }) => (it.machine ?? null) === machine;
  const isAt = (root: string) => (it: { root: string; machine?: MachineName }) =>
    it.root === root && isOurs(it);
  /** Who waits for the end of a sync, by the project's folder. */
  const waiting = new Map<string, Set<() => void>>();

  const unwatch = engine.watch((events, state) => {
    for (const root of newHomes(events.filter(isOurs), state)) void look(root).catch(failedToLook);
    if (waiting.size > 0 && events.some(isProgress)) wakeAll();
  });

  function failedToLook(error: Error): void {
    if (!stopping.signal.aborted)
      journal.warn("could not see whether a project mirrors its decisions", { error: error.message });
  }

  function wakeAll(): void {
    for (const wakes of waiting.values()) for (const wake of wakes) wake();
  }

  function laneOf(root: string): BeadsLane {
    const known = lanes.get(root);
    if (known) return known;
    const troubled = () => {
      const { kind, message } = lanes.get(root)?.trouble() ?? {};
      journal.warn("decisions can't be mirrored as beads", { root, kind, error: message });
      wakeAll();
    };
    const made = beadsLane({ dir: () => beadsDirOf(root), beads, abort: stopping.signal, troubled }, clock);
    lanes.set(root, made);
    return made;
  }

  async function look(folder: string): Promise<Home | null> {
    const home = homeIn(env, folder);
    if (home === null) return null;
    const isKnown = await engine.read(({ mirrors }) => mirrors.has(keyOf(home.root)));
    const place = { ...home, machine };
    if (home.isOn !== isKnown)
      await engine.run((state) => (home.isOn ? mirrorOn(state, place) : mirrorOff(state, place)));
    return home;
  }

  /** What was superseded gives way to a bead that must be there first. */
  async function bring(tracker: Tracker, effect: MirrorEffect, record: Recorder): Promise<void> {
    const { decision_id: id, root } = effect;
    const found = await engine.read(({ unmirrored, decisions }) => {
      const row = unmirrored.get(id);
      const decision = row && !row.deleted ? decisions.get(id) : undefined;
      const next = decision?.superseded_by ? decisions.get(decision.superseded_by) : undefined;
      return { row, decision, next };
    });
    const { row, decision, next } = found;
    if (!row) return;
    const hide = await hider([next, decision].filter((it) => it !== undefined));
    if (next && !next.bead) await bringUpToDate(tracker, beadOf(hide(next)));
    const wanted = decision
      ? beadOf(hide(decision))
      : row.deleted
        ? beadOfDeleted(row, hide(row.deleted))
        : null;
    if (wanted === null) return;
    const bead = await bringUpToDate(tracker, wanted);
    await record((state) => mirrored(state, { id, bead, root, shows: wanted.state }));
  }

  async function stateOf(mirror: Mirror): Promise<BeadsView> {
    const { root, project } = mirror;
    const owed = await engine.read(({ unmirrored }) => [...unmirrored.values()].filter(isAt(root)).length);
    const trouble = lanes.get(root)?.trouble() ?? null;
    return {
      project,
      root,
      dir: beadsDirOf(root),
      version: lanes.get(root)?.version() ?? null,
      owed,
      state: trouble?.kind ?? "ok",
      trouble: trouble?.message ?? null,
      since_ms: trouble?.since_ms ?? null,
      retry_at_ms: trouble?.retry_at_ms ?? null,
    };
  }

  /** What `bd` refused is tried again now, not when its next try is due. */
  async function tryRefused(root: string, under: Set<DecisionId>): Promise<void> {
    const ids = await engine.read((state) => refusedIn(state, isAt(root)));
    for (const id of ids) {
      const [effect] = await engine.read((state) => mirrorEffects(state, id));
      if (!effect) continue;
      under.add(id);
      void laneOf(root)
        .run((tracker) => bring(tracker, effect, engine.run))
        .catch(() => {}) // its chore will try it again, and says why it fails
        .finally(() => {
          under.delete(id);
          wakeAll();
        });
    }
  }

  /** Until nothing is owed, or something went wrong since. */
  async function untilDone(
    mirror: Mirror,
    failures: number,
    under: ReadonlySet<DecisionId>,
  ): Promise<BeadsView> {
    for (;;) {
      let wake = () => {};
      const woken = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const wakes = waiting.get(mirror.root) ?? new Set();
      waiting.set(mirror.root, wakes.add(wake));
      try {
        const now = await stateOf(mirror);
        const refused = await engine.read((state) => refusedIn(state, isAt(mirror.root)));
        const givenUp = refused.filter((it) => !under.has(it)).length;
        const isStuck = laneOf(mirror.root).failures() > failures || givenUp >= now.owed;
        if (isStuck || stopping.signal.aborted) return now;
        await woken;
      } finally {
        wakes.delete(wake);
        if (wakes.size === 0) waiting.delete(mirror.root);
      }
    }
  }

  return {
    look,
    async perform(effect, record) {
      await laneOf(effect.root).run((tracker) => bring(tracker, effect, record));
    },
    async lookAgain() {
      const roots = await engine.read((state) => [
        ...[...state.mirrors.values()].filter(isOurs).map((it) => it.root),
        ...pendingHomes(state, isOurs),
      ]);
      for (const root of new Set(roots)) await look(root).catch(failedToLook);
    },
    async states() {
      const all = await engine.read(({ mirrors }) => [...mirrors.values()].filter(isOurs));
      return Promise.all(all.map(stateOf));
    },
    async sync(root) {
      const mirror = await engine.read(({ mirrors }) => mirrors.get(keyOf(root)));
      if (!mirror) throw new Error(`${root} is not mirrored`);
      const ids = await engine.read(({ decisions }) => [...decisions.keys()]);
      let checked = await engine.read(({ unmirrored }) => [...unmirrored.values()].filter(isAt(root)).length);
      const failures = laneOf(root).failures();
      laneOf(root).hurry();
      for (let at = 0; at < ids.length; at += PAGE) {
        const page: DecisionId[] = ids.slice(at, at + PAGE);
        const facts = await engine.run((state) => mirrorAgain(state, { root, machine, ids: page }));
        for (const it of facts) if (it.type === "mirror:on") checked += it.decision_ids.length;
      }
      const under = new Set<DecisionId>();
      await tryRefused(root, under);
      return { checked, beads: await untilDone(mirror, failures, under) };
    },
    stop() {
      unwatch();
      stopping.abort();
      wakeAll();
      for (const it of lanes.values()) it.close();
    },
  };
}

function isProgress({ type }: Event): boolean {
  return type === "decision:mirrored" || type === "mirror:off" || type === "effect:failed";
}

/** The folders where something has begun that may lead to decisions. */
function newHomes(events: readonly Event[], state: State): Set<string> {
  const homes = new Set<string>();
  for (const event of events) {
    if (event.type === "job:created" || event.type === "agent:created" || event.type === "crew:created")
      homes.add(event.root);
    else if (event.type === "session:found" || event.type === "session:turned") {
      const cwd = state.sessions.get(event.id)?.cwd;
      if (cwd !== undefined) homes.add(cwd);
    }
  }
  return homes;
}

function pendingHomes(
  { pending, decisions, active, jobs }: State,
  isOurs: (it: { machine?: MachineName }) => boolean,
): string[] {
  const asked = [...pending].flatMap((id) => decisions.get(id) ?? []);
  const worked = [...active].flatMap((id) => jobs.get(id) ?? []);
  return [...asked, ...worked].flatMap((it) => (isOurs(it) ? (it.root ?? []) : []));
}

/** The decisions whose beads `bd` has refused, each for itself. */
function refusedIn({ unmirrored, retries }: State, isHere: (it: Unmirrored) => boolean): DecisionId[] {
  const refused = new Set<string>();
  for (const { effect, key } of retries.values())
    if (effect === "mirror") refused.add(key.slice(key.lastIndexOf(":") + 1));
  return [...unmirrored.values()].flatMap((it) => (isHere(it) && refused.has(it.id) ? [it.id] : []));
}
