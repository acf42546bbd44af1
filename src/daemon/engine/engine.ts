/**
 * The one place that changes state. Waiting rules run together in a turn, each alone on the newest state. Once the log
 * has their facts, these are folded, acknowledged, published and acted on. What the facts mean is core's business.
 */
import { Refusal } from "../../core/model/errors.ts";
import type { Event } from "../../core/model/events.ts";
import type { MachineName } from "../../core/model/ids.ts";
import type { State, WholeState } from "../../core/model/state/state.ts";
import { apply, lent } from "../../core/model/state/state.ts";
import type { Kept } from "../../core/model/state/table.ts";
import type { Ports } from "../../ports.ts";
import { Behind } from "../../ports.ts";
import { missed } from "./load-state.ts";
import type { Review, Rule, Ruling } from "./rulings.ts";
import { ruleAll, startJoined } from "./rulings.ts";

export type { Rule };
export type Watcher = (events: readonly Event[], state: State) => void;

export interface Engine {
  /** Runs the rule and returns its events once they are on disk. Throws the rule's refusal, or the store's. */
  run(rule: Rule): Promise<Event[]>;
  /**
   * From now on the rule runs in every turn that records something about this id, after the others, and what it says
   * is written with them. Should it throw, it says nothing.
   */
  join(id: string, rule: Rule): () => void;
  /** Reads from the newest state, all of which is on disk. No later event changes what was read. No tables. */
  read<T>(look: (state: State) => T): Promise<Kept<T>>;
  /** The watcher is called with the committed events, in order, this daemon's and others'. */
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
  resolve(events: Event[]): void;
  reject(error: unknown): void;
}

interface EngineInput {
  review?: Review;
  /** What is written here says so, where other machines write too. */
  machine?: () => MachineName | null;
}

/** Events that others wrote are read this many at a time. */
const PAGE = 500;
/** So often others may get ahead of us between reading and a turn, before we give up. */
const BEHIND_AT_MOST = 10;

export function startEngine(
  ports: Pick<Ports, "log" | "clock" | "random" | "journal">,
  state: WholeState,
  { review = (_, facts) => facts, machine = () => null }: EngineInput = {},
): Engine {
  const { log, journal } = ports;
  const watchers = new Set<Watcher>();
  const joined = startJoined();
  const waiting: Change[] = [];
  let working: Promise<void> | null = null;
  let hasNews = false;
  let stopping = false;
  let trouble: string | null = null;
  /** Set when a write failed: each rule gets a turn of its own, so that what can't be written fails nobody else. */
  let isAlone = false;
  const unfollow = log.follow(() => {
    hasNews = true;
    work();
  });

  function run(rule: Rule): Promise<Event[]> {
    return new Promise((resolve, reject) => {
      if (stopping) throw new Refusal("daemon.stopping", "the daemon is stopping", "try again in a moment");
      waiting.push({ rule, resolve, reject });
      work();
    });
  }

  /** One thing at a time: turns while there are rules, else what others wrote. What arrives meanwhile shares a turn. */
  function work(): void {
    working ??= new Promise<void>((resolve) => setImmediate(resolve)).then(workOn).finally(() => {
      working = null;
      if (waiting.length > 0 || hasNews) work();
    });
  }

  async function workOn(): Promise<void> {
    while (waiting.length > 0) {
      await takeTurn(waiting.splice(0, isAlone ? 1 : waiting.length));
      await new Promise<void>((resolve) => setImmediate(resolve)); // whoever was told may have more to write
    }
    const isDue = hasNews && !stopping;
    hasNews = false;
    if (!isDue) return;
    await catchUp().catch((error: Error) =>
      journal.warn("could not read what is new", { error: error.message }),
    );
  }

  async function takeTurn(changes: Change[]): Promise<void> {
    const news: Event[] = [];
    let rulings: Ruling[] = [];
    const decide = (found: readonly Event[], at_ms: number | null): Event[] => {
      news.push(...fold(found));
      rulings = ruleAll(
        state,
        changes.map((it) => it.rule),
        { ...ports, at_ms, review, machine: machine() },
        joined.by,
      );
      return rulings.flatMap((it) => it.events);
    };
    try {
      await turnUpToDate(decide);
    } catch (error) {
      announce(news);
      failed(error, changes);
      return;
    }
    const events = rulings.flatMap((it) => it.events);
    fold(events);
    if (events.length > 0) worked();
    for (const [n, change] of changes.entries()) tell(change, rulings[n]);
    announce([...news, ...events]);
  }

  async function turnUpToDate(
    decide: (news: readonly Event[], at_ms: number | null) => Event[],
  ): Promise<void> {
    for (let left = BEHIND_AT_MOST; ; left--) {
      try {
        return await log.turn(state.seq, decide);
      } catch (error) {
        if (!(error instanceof Behind)) throw error;
        const { seq } = state;
        await catchUp();
        if (state.seq === seq || left === 0) throw lost(seq);
      }
    }
  }

  /** Reads on to the end of the log, without a turn. */
  async function catchUp(): Promise<void> {
    for (;;) {
      const events = await log.read(state.seq, PAGE);
      announce(fold(events));
      if (events.length < PAGE) return;
    }
  }

  /** Returns those that were not folded yet. */
  function fold(events: readonly Event[]): readonly Event[] {
    const fresh = events.filter((it) => it.seq > state.seq);
    if (fresh[0] && fresh[0].seq !== state.seq + 1) throw missed(state.seq, fresh[0].seq);
    for (const event of fresh) apply(state, event);
    return fresh;
  }

  function announce(events: readonly Event[]): void {
    if (events.length === 0) return;
    for (const watcher of watchers) watcher(events, lent(state));
  }

  function failed(error: unknown, changes: Change[]): void {
    trouble = (error as Error).message;
    const isAway = error instanceof Refusal && error.code === "store.unreachable";
    isAlone = !isAway;
    const refused = isAway ? [...changes, ...waiting.splice(0)] : changes; // the next try would take as long
    journal.error("the store can't be written to", { error: trouble, refused: refused.length });
    for (const change of refused) change.reject(error);
  }

  function worked(): void {
    if (trouble !== null) journal.info("the store can be written to again");
    trouble = null;
    isAlone = false;
  }

  return {
    run,
    join: joined.add,
    read: async (look) => look(lent(state)) as Kept<ReturnType<typeof look>>,
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    shelve: (limits) => state.decisions.shelve(limits),
    trouble: () => trouble,
    seq: () => state.seq,
    async stop() {
      stopping = true;
      unfollow();
      while (working !== null) await working;
    },
  };
}

function tell(change: Change, ruling: Ruling | undefined): void {
  if (ruling?.refusal) change.reject(ruling.refusal.error);
  else change.resolve([...(ruling?.events ?? [])]);
}

function lost(seq: number): Refusal {
  const message = `The log no longer ends at event ${seq}, and there is nothing behind it to read.`;
  return new Refusal("store.failed", message, "oj daemon logs");
}
