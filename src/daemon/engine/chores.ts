/**
 * Makes sure that what is owed gets done: one run of each chore at a time, again after a failure, and all of it after a
 * start.
 */

import type { Effect } from "../../core/model/effects.ts";
import { effectKey, retryDelayMs } from "../../core/model/effects.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { Event } from "../../core/model/events.ts";
import type { State } from "../../core/model/state/state.ts";
import { choreFailed } from "../../core/outbox/chore.ts";
import type { Duties, Owing } from "../../core/owed.ts";
import { effectsOf, isOwed, owed, owedFor, owingOf, touched } from "../../core/owed.ts";
import type { Ports } from "../../ports.ts";
import type { Engine, Rule } from "./engine.ts";
import type { Machines } from "./machines.ts";
import { startTimers } from "./timers.ts";

export interface Chores {
  /** Begins everything that is owed. Called once, after a start. */
  begin(): Promise<void>;
  /** Begins what is owed and not in progress. There is nothing to begin unless something was overlooked. */
  takeUp(): Promise<void>;
  /** The chores in progress that take longer than they should, and how long they have taken. */
  late(): { key: string; ms: number }[];
  /** How many chores are in progress. */
  active(): number;
  /** Begins nothing more and cancels its timers. Returns once the chores in progress have ended or been given up. */
  stop(): Promise<void>;
}

/** A chore is late after this long. Scripts and checkouts of a large repository have limits of their own. */
const LATE_MS = 5000;
const MAY_TAKE_LONG: readonly Effect["type"][] = [
  "run-shell",
  "run-gate",
  "make-workspace",
  "remove-workspace",
  "tell", // for as long as a service is away
  "mirror", // for as long as the database of bd is locked
];

/** Records an outcome. If the store can't be written to, it tries again until it can: an outcome is never dropped. */
export type Recorder = (rule: Rule) => Promise<Event[]>;

type Perform = (effect: Effect, record: Recorder) => Promise<void>;

export function startChores(
  engine: Engine,
  ports: Pick<Ports, "clock" | "journal">,
  perform: Perform,
  duties: () => Duties | undefined = () => undefined,
  keeps: Machines["keeps"] = () => true,
): Chores {
  const { clock, journal } = ports;
  const active = new Map<string, Promise<void>>();
  /** When the chores that should be quick began. */
  const since = new Map<string, number>();
  const timers = startTimers(clock);
  /** The chores that wait for their time, by what owes them: how to disarm each. */
  const waiting = new Map<Owing, Map<string, () => void>>();
  let stopped = false;

  const unwatch = engine.watch((events, state) => {
    for (const id of touched(events)) disarmSettled(state, id);
    for (const effect of effectsOf(state, events, duties())) if (keeps(state, effect)) start(effect);
  });

  /** A timer for what is no longer owed is not kept: the deadline of an answered decision may be a month away. */
  function disarmSettled(state: State, id: Owing): void {
    const timersOf = waiting.get(id);
    if (!timersOf) return;
    const due = new Set(owedFor(state, id, duties()).map(effectKey));
    for (const [key, disarm] of timersOf) {
      if (due.has(key)) continue;
      disarm();
      forget(id, key);
    }
  }

  function forget(id: Owing, key: string): void {
    const timersOf = waiting.get(id);
    timersOf?.delete(key);
    if (timersOf?.size === 0) waiting.delete(id);
  }

  /**
   * `ripe`: the timer says that the chore is due, whatever the wall clock says. Somebody may have set the clock back.
   */
  function start(effect: Effect, ripe = false): void {
    const key = effectKey(effect);
    if (stopped || active.has(key) || waiting.get(owingOf(effect))?.has(key)) return;
    if (!ripe && "until_ms" in effect && effect.until_ms > clock.now()) {
      wait(effect, key, effect.from_ms, effect.until_ms);
      return;
    }
    const isQuick = !MAY_TAKE_LONG.includes(effect.type);
    if (isQuick) since.set(key, clock.monotonic());
    const disarm = isQuick ? clock.after(LATE_MS, () => warn(key)) : () => {};
    const ended = () => {
      disarm();
      active.delete(key);
      since.delete(key);
    };
    active.set(key, work(effect, key, ripe).finally(ended));
  }

  function warn(key: string): void {
    if (!stopped) journal.warn("a chore is late", { key, for_ms: LATE_MS });
  }

  async function work(effect: Effect, key: string, ripe: boolean): Promise<void> {
    const retry = await engine.read((state) => state.retries.get(key) ?? null).catch(() => null);
    if (retry) {
      const { failed_at_ms, retry_at_ms } = retry;
      if (retry_at_ms === null) return;
      if (!ripe && retry_at_ms > clock.now()) return wait(effect, key, failed_at_ms, retry_at_ms);
    }
    try {
      await perform(effect, record);
    } catch (error) {
      if (stopped) return;
      await failed(effect, key, (retry?.attempt ?? 0) + 1, error as Error);
    }
  }

  async function failed(effect: Effect, key: string, attempt: number, error: Error): Promise<void> {
    const now = clock.now();
    journal.warn("a chore failed", { key, attempt, error: error.message });
    await record(() => choreFailed({ effect, attempt, error: error.message }, { at_ms: now }));
    wait(effect, key, now, now + retryDelayMs(attempt, effect.type));
  }

  function wait(effect: Effect, key: string, from: number, until: number): void {
    if (stopped) return;
    const id = owingOf(effect);
    const disarm = timers.set(from, until, () => {
      forget(id, key);
      void dueAgain(effect);
    });
    waiting.set(id, (waiting.get(id) ?? new Map()).set(key, disarm));
  }

  async function dueAgain(effect: Effect): Promise<void> {
    const due = await engine
      .read((state) => isOwed(state, effect) && keeps(state, effect))
      .catch(() => false);
    if (due) start(effect, true);
  }

  async function record(rule: Rule): Promise<Event[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await engine.run(rule);
      } catch (error) {
        if (!(error instanceof Refusal && error.code.startsWith("store.")) || stopped) throw error;
        journal.warn("an outcome is waiting for the store", { error: error.message, attempt });
        await new Promise<void>((resolve) => clock.after(retryDelayMs(Math.min(attempt, 5)), resolve));
      }
    }
  }

  async function begin(): Promise<void> {
    const ours = await engine.read((state) => owed(state, duties()).filter((it) => keeps(state, it)));
    for (const effect of ours) start(effect);
  }

  return {
    begin,
    takeUp: begin,
    late() {
      const now = clock.monotonic();
      return [...since]
        .map(([key, at]) => ({ key, ms: Math.round(now - at) }))
        .filter((it) => it.ms >= LATE_MS);
    },
    active: () => active.size,
    async stop() {
      stopped = true;
      unwatch();
      timers.stop();
      await Promise.allSettled(active.values());
    },
  };
}
