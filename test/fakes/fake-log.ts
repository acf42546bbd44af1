/** The port `Log` in memory, for engine tests: turns fail or wait when told to, and others write. Passes the log's contract. */
import { remnantsToLeave } from "../../src/adapters/audit/remnants.ts";
import type { Event, Fact } from "../../src/core/model/events.ts";
import { emptyState, replay } from "../../src/core/model/state/state.ts";
import { decodeState, encodeState } from "../../src/core/model/state/state-text.ts";
import type { Decide, Log, Opened, Presence } from "../../src/ports.ts";
import { Behind } from "../../src/ports.ts";

export interface FakeLog extends Log {
  /** Everything that was committed and not compacted, oldest first. */
  committed(): Event[];
  /** The next turn fails with this error after it was decided; nothing of it is written. */
  failNext(error: Error): void;
  /** Another daemon writes these facts, which get the next numbers. */
  otherWrites(...facts: Fact[]): void;
  /** Other machines write to it, too. */
  share(others: readonly Presence[]): void;
  /** Turns that find more news than this are behind. */
  newsAtMost(count: number): void;
  /** Turns wait from now on, decided and not written, until `release`. */
  hold(): void;
  release(): void;
  /** How many turns are waiting. */
  held(): number;
  /** From now on, writes take as long as this does. It says how many of their events are there then. */
  setDisk(write: (events: number) => Promise<number>): void;
}

/** Whoever wrote has died in the middle of it; so many of the events are there. */
export class CutOff extends Error {
  readonly there: number;
  constructor(there: number) {
    super("whoever wrote this has died");
    this.there = there;
  }
}

/** `open` after `close` returns the same log again, as a restart would. */
export function fakeLog(): FakeLog {
  let snapshot: Opened["snapshot"] = null;
  let base = 0;
  let bodies: string[] = [];
  let turns: Promise<unknown> = Promise.resolve();
  let gate: { passed: Promise<void>; open: () => void } | null = null;
  let waiting = 0;
  const nextErrors: Error[] = [];
  const followers = new Set<() => void>();
  let most = Number.POSITIVE_INFINITY;
  let others: readonly Presence[] | null = null;
  let disk: ((events: number) => Promise<number>) | null = null;
  const remnants = remnantsToLeave();
  let isErased = false;
  const tip = () => base + bodies.length;
  const parsed = (from: number, to: number) =>
    bodies.slice(from - base, to - base).map((body) => JSON.parse(body) as Event);

  const page = (after: number, limit: number) => {
    const from = Math.max(after, base);
    return parsed(from, Math.min(from + limit, tip()));
  };

  return {
    committed: () => parsed(base, tip()),
    failNext: (error) => void nextErrors.push(error),
    otherWrites(...facts) {
      for (const fact of facts) bodies.push(JSON.stringify({ seq: tip() + 1, at_ms: 1, ...fact }));
      for (const call of followers) call();
    },
    share(given) {
      others = given;
      for (const { name } of given)
        this.otherWrites({ type: "machine:joined", id: name, project: "", key: `key of ${name}` });
    },
    newsAtMost(count) {
      most = count;
    },
    hold() {
      if (gate !== null) return;
      let open = () => {};
      const passed = new Promise<void>((resolve) => (open = resolve));
      gate = { passed, open };
    },
    release() {
      gate?.open();
      gate = null;
    },
    held: () => waiting,
    setDisk(write) {
      disk = write;
    },

    open: async () => ({
      snapshot,
      tip: tip(),
      first: base + 1,
      damage: null,
      skipped: [],
      machine: others && "self",
    }),
    read: async (after, limit) => page(after, limit),
    look: async (after, limit) => page(after, limit),
    verify: async () => null,
    find: async (after, limit, ids) => {
      const from = Math.max(after, base);
      const events = parsed(from, Math.min(from + limit, tip())).filter((event) =>
        ids.some((id) => JSON.stringify(event).includes(`"${id}"`)),
      );
      return { events, last: from + limit > tip() ? null : from + limit };
    },
    turn(after, decide) {
      waiting += 1;
      const mine = turns.then(() => take(after, decide)).finally(() => (waiting -= 1));
      turns = mine.catch(() => {});
      return mine;
    },
    machines: async (self) => (others === null ? [] : [{ name: self, away: null }, ...others]),
    banish: async () => {},
    follow(call) {
      followers.add(call);
      return () => void followers.delete(call);
    },
    leaving: remnants.add,
    async scour() {
      if (isErased) await this.snapshot(tip()); // it keeps only the newest
      isErased = false;
    },
    async snapshot(seq) {
      const upTo = Math.min(seq, tip());
      if (upTo <= (snapshot?.seq ?? 0)) return;
      const before = snapshot === null ? emptyState() : decodeState(snapshot.state);
      snapshot = { seq: upTo, state: encodeState(replay(parsed(before.seq, upTo), before)) };
    },
    async compact(seq) {
      const upTo = Math.min(seq, snapshot?.seq ?? 0, tip());
      const went = Math.max(0, upTo - base);
      bodies = bodies.slice(went);
      base += went;
      return went;
    },
    close: async () => void (await turns),
  };

  async function take(after: number, decide: Decide): Promise<void> {
    for (let seen = after; ; ) {
      const news = page(seen, tip());
      if (news.length > most || news.length !== tip() - seen) throw new Behind();
      const events = decide(news, null);
      const [first, lines] = [tip() + 1, events.map((event) => JSON.stringify(event))];
      seen = tip();
      await gate?.passed;
      if (seen < tip()) continue; // somebody wrote meanwhile: what was decided is out of date
      if (lines.length === 0) return;
      const error = nextErrors.shift();
      if (error !== undefined) throw error;
      const astray = events.find((event, i) => event.seq !== first + i);
      if (astray) throw new Error(`event ${astray.seq} was decided, but ${first} is the next`);
      const there = disk === null ? lines.length : await disk(lines.length);
      bodies.push(...lines.slice(0, there));
      if (there < lines.length) throw new CutOff(there);
      for (const { seq, body } of remnants.of(events)) {
        isErased = true;
        if (seq > base) bodies[seq - base - 1] = body;
      }
      return;
    }
  }
}
