/**
 * The one place that changes state. A rule runs alone on the newest state. Its facts are folded at once, committed with
 * whatever else arrived, and only then acknowledged, published and acted on. What the facts mean is core's business.
 */
import { clients } from "../../agents/known/clients.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { Event, Fact } from "../../core/model/events.ts";
import { streamOf } from "../../core/model/events.ts";
import type { Moment } from "../../core/model/ids.ts";
import { idFrom } from "../../core/model/ids.ts";
import type { State, WholeState } from "../../core/model/state/state.ts";
import { apply, lent } from "../../core/model/state/state.ts";
import type { Kept } from "../../core/model/state/table.ts";
import type { Ports } from "../../ports.ts";
import { Conflict } from "../../ports.ts";
import { loadState } from "./load-state.ts";

export type Rule = (state: State, moment: Moment) => Fact[];
export type Watcher = (events: readonly Event[], state: State, uncommitted: readonly Event[]) => void;

export interface Engine {
  /** Runs the rule and returns its events once they are on disk. Throws the rule's refusal, or the store's. */
  run(rule: Rule): Promise<Event[]>;
  /** Reads from the newest state, once all of that is on disk. No later event changes what was read. No tables. */
  read<T>(look: (state: State) => T): Promise<Kept<T>>;
  /** The watcher is called with the committed events, in order. */
  watch(watcher: Watcher): () => void;
  /** Puts settled decisions on the shelf, which changes where they are kept, not what is read. False: none is left. */
  shelve(limits: { keep: number; most: number }): boolean;
  /** Why the store can't be written to; null if it can. */
  trouble(): string | null;
  seq(): number;
  /** Takes no more rules. Returns once everything it took is on disk. */
  stop(): Promise<void>;
}

interface Change {
  rule: Rule;
  events: Event[];
  resolve(events: Event[]): void;
  reject(error: unknown): void;
}

interface Waiter {
  seq: number;
  resolve(): void;
  reject(error: unknown): void;
}

const CONFLICT_RETRIES = 10;

export function startEngine(
  ports: Pick<Ports, "log" | "clock" | "random" | "journal"> & Partial<Pick<Ports, "shelf">>,
  initial: WholeState,
): Engine {
  const { log, clock, journal } = ports;
  const watchers = new Set<Watcher>();
  let state = initial;
  let committed = state.seq;
  let gathering: Change[] = [];
  let writing: Change[] | null = null;
  let waiters: Waiter[] = [];
  let rebuilding: Promise<void> | null = null;
  let scheduled = false;
  let stopping = false;
  /** Set after a failed write: nothing is folded before its commit any more, so a full disk costs one rebuild. */
  let trouble: string | null = null;

  const moment = (): Moment => ({
    at_ms: clock.now(),
    id: (kind) => idFrom(kind, ports.random(32)),
    clients,
  });

  async function run(rule: Rule): Promise<Event[]> {
    while (rebuilding !== null) await rebuilding;
    if (stopping) throw new Refusal("daemon.stopping", "the daemon is stopping", "try again in a moment");
    if (trouble !== null || careful > 0) return carefully(rule);
    const { seq } = state;
    let events: Event[];
    try {
      events = stamp(rule);
    } catch (error) {
      await settled(seq); // a refusal may rest on facts that are not on disk yet
      throw error;
    }
    if (events.length === 0) {
      await settled(seq);
      return events;
    }
    for (const event of events) apply(state, event);
    return new Promise((resolve, reject) => {
      gathering.push({ rule, events, resolve, reject });
      schedule();
    });
  }

  function stamp(rule: Rule): Event[] {
    const now = moment();
    return rule(state, now).map((fact, index) => ({ seq: state.seq + 1 + index, at_ms: now.at_ms, ...fact }));
  }

  function schedule(): void {
    if (scheduled || writing || gathering.length === 0) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      void flush();
    });
  }

  async function flush(): Promise<void> {
    if (writing || gathering.length === 0) return;
    const changes = gathering;
    writing = changes;
    gathering = [];
    const events = changes.flatMap((it) => it.events);
    try {
      await append(events);
    } catch (error) {
      writing = null;
      await failed(error, [...changes, ...gathering.splice(0)]);
      return;
    }
    writing = null;
    for (const change of changes) change.resolve(change.events);
    announce(events);
    schedule();
  }

  async function append(events: readonly Event[]): Promise<void> {
    await log.append(events, { after: committed, streams: [...new Set(events.map(streamOf))] });
    committed = events.at(-1)?.seq ?? committed;
  }

  function announce(events: readonly Event[]): void {
    const ready = waiters.filter((it) => it.seq <= committed);
    waiters = waiters.filter((it) => it.seq > committed);
    for (const waiter of ready) waiter.resolve();
    const uncommitted = gathering.flatMap((it) => it.events);
    for (const watcher of watchers) watcher(events, lent(state), uncommitted);
  }

  /**
   * Drops what was folded and not written. After a conflict, rules run again; any other error is passed to every
   * caller.
   */
  async function failed(error: unknown, changes: Change[]): Promise<void> {
    if (!(error instanceof Conflict)) {
      trouble = (error as Error).message;
      journal.error("the store can't be written to", { error: trouble });
    }
    rebuilding = rebuild();
    const readers = waiters.splice(0);
    await rebuilding.finally(() => {
      rebuilding = null;
    });
    if (error instanceof Conflict) {
      for (const change of changes) again(change, CONFLICT_RETRIES);
    } else {
      for (const change of changes) change.reject(error);
    }
    for (const waiter of readers) waiter.reject(error);
  }

  function again(change: Change, left: number): void {
    run(change.rule).then(change.resolve, (error) => {
      if (error instanceof Conflict && left > 0) again(change, left - 1);
      else change.reject(error);
    });
  }

  async function rebuild(): Promise<void> {
    for (;;) {
      try {
        const loaded = await loadState(log, { shelf: ports.shelf });
        state.decisions.close();
        state = loaded.state;
        committed = state.seq;
        return;
      } catch (error) {
        journal.error("the log can't be read", { error: (error as Error).message });
        await new Promise<void>((resolve) => clock.after(1000, resolve));
      }
    }
  }

  let queue: Promise<unknown> = Promise.resolve();
  let careful = 0;
  /** Runs rules one at a time, and writes before it folds. The first write that succeeds ends the trouble. */
  function carefully(rule: Rule): Promise<Event[]> {
    careful += 1;
    const result = queue.then(async () => {
      const events = stamp(rule);
      if (events.length === 0) return events;
      await append(events).catch((error) => {
        trouble = (error as Error).message;
        throw error;
      });
      for (const event of events) apply(state, event);
      if (trouble !== null) journal.info("the store can be written to again");
      trouble = null;
      announce(events);
      return events;
    });
    queue = result
      .catch(() => undefined)
      .finally(() => {
        careful -= 1;
      });
    return result;
  }

  async function read<T>(look: (state: State) => T): Promise<Kept<T>> {
    for (;;) {
      while (rebuilding !== null) await rebuilding;
      const { seq } = state;
      const value = look(lent(state)) as Kept<T>;
      if (seq <= committed) return value;
      const written = await settled(seq).then(
        () => true,
        () => false,
      );
      if (written) return value;
    }
  }

  function settled(seq: number): Promise<void> {
    if (seq <= committed) return Promise.resolve();
    return new Promise((resolve, reject) => waiters.push({ seq, resolve, reject }));
  }

  return {
    run,
    read,
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    shelve: (limits) => state.decisions.shelve(limits),
    trouble: () => trouble,
    seq: () => committed,
    async stop() {
      stopping = true;
      await queue;
      await settled(state.seq).catch(() => undefined);
    },
  };
}
