/** The port `Log` in memory, for engine tests: commits fail, conflict or wait when told to. Passes the log's contract. */
import type { Event } from "../../src/core/model/events.ts";
import { streamOf } from "../../src/core/model/events.ts";
import { replay } from "../../src/core/model/state/state.ts";
import { encodeState } from "../../src/core/model/state/state-text.ts";
import type { Expected, Log, Opened } from "../../src/ports.ts";
import { Conflict } from "../../src/ports.ts";

export interface FakeLog extends Log {
  /** Everything that was committed and not compacted, oldest first. */
  committed(): Event[];
  /** The next append fails with this error instead of being written. */
  failNext(error: Error): void;
  /** The next append finds that this stream has moved on. */
  conflictNext(stream: string): void;
  /** Appends wait from now on, until `release`. */
  hold(): void;
  release(): void;
  /** How many appends are waiting. */
  held(): number;
}

/** `open` after `close` returns the same log again, as a restart would. */
export function fakeLog(): FakeLog {
  let snapshot: Opened["snapshot"] = null;
  let base = 0;
  let bodies: string[] = [];
  const forgotten: string[] = [];
  let turn: Promise<unknown> = Promise.resolve();
  let gate: { passed: Promise<void>; open: () => void } | null = null;
  let waiting = 0;
  const nextErrors: Error[] = [];
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
    conflictNext: (stream) => void nextErrors.push(new Conflict(stream)),
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

    open: async () => ({ snapshot, tip: tip(), first: base + 1, damage: null, skipped: [] }),
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
    append(events, expected) {
      const lines = events.map((event) => JSON.stringify(event));
      waiting += 1;
      const mine = turn.then(async () => {
        await gate?.passed;
        waiting -= 1;
        write(events, lines, expected);
      });
      turn = mine.catch(() => {});
      return mine;
    },
    async snapshot(seq) {
      const upTo = Math.min(seq, tip());
      if (upTo <= (snapshot?.seq ?? 0)) return;
      // A real log starts from the previous snapshot; this one never forgets anything that a snapshot needs.
      const all = [...forgotten, ...bodies].slice(0, upTo).map((body) => JSON.parse(body) as Event);
      snapshot = { seq: upTo, state: encodeState(replay(all)) };
    },
    async compact(seq) {
      const upTo = Math.min(seq, snapshot?.seq ?? 0, tip());
      const went = Math.max(0, upTo - base);
      forgotten.push(...bodies.slice(0, went));
      bodies = bodies.slice(went);
      base += went;
      return went;
    },
    close: async () => void (await turn),
  };

  function write(events: readonly Event[], lines: string[], expected: Expected): void {
    const [first] = events;
    if (first === undefined) return;
    const error = nextErrors.shift();
    if (error !== undefined) throw error;
    const since = parsed(Math.max(expected.after, base), tip()).map(streamOf);
    const moved =
      expected.after < base ? expected.streams[0] : since.find((it) => expected.streams.includes(it));
    if (moved !== undefined) throw new Conflict(moved);
    const astray = events.find((event, i) => event.seq !== tip() + 1 + i);
    if (astray !== undefined) throw new Conflict(streamOf(astray));
    bodies.push(...lines);
  }
}
