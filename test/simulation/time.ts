/** The one scheduler: everything that happens is drawn from the seed and has its place in virtual time. */
import { Heap } from "../../src/daemon/engine/heap.ts";
import type { Chance } from "../../src/trial/chance.ts";
import { chanceOf } from "../../src/trial/chance.ts";

export interface Time {
  chance: Chance;
  /** True so many times in a hundred. */
  odds(percent: number): boolean;
  /** A number of milliseconds in this range, and now and then much more. */
  span(least: number, most: number): number;
  one<T>(of: readonly T[]): T;
  /** Milliseconds since the beginning. */
  now(): number;
  /** Calls once after this time; the returned function disarms it. */
  after(ms: number, what: string, call: () => void): () => void;
  sleep(ms: number, what: string): Promise<void>;
  /** Does the next thing, and whatever follows from it without time passing. False if nothing is left. */
  step(): Promise<boolean>;
  steps(): number;
  /** Two runs that did the same so far have the same print. */
  print(): number;
  /** The last things that happened, oldest first. */
  last(): string[];
}

interface Due {
  what: string;
  call(): void;
}

/** Rounds of the loop without anything new, after which nothing more happens by itself. */
const QUIET_ROUNDS = 3;
const REMEMBERED = 60;

export function startTime(seed: number): Time {
  const chance = chanceOf(seed);
  const due = new Heap<Due>();
  const last: string[] = [];
  let passed = 0;
  let steps = 0;
  let print = 2_166_136_261;
  let arrivals = 0;

  function note(what: string): void {
    const line = `${Math.round(passed)} ${what}`;
    last.push(line);
    if (last.length > REMEMBERED) last.shift();
    for (let n = 0; n < line.length; n++) print = Math.imul(print ^ line.charCodeAt(n), 16_777_619) >>> 0;
  }

  async function settle(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_ROUNDS; ) {
      const before = arrivals;
      await new Promise<void>((resolve) => setImmediate(resolve));
      quiet = arrivals === before ? quiet + 1 : 0;
    }
  }

  const time: Time = {
    chance,
    odds: (percent) => chance.pick(1000) < percent * 10,
    span: (least, most) =>
      least + chance.pick(1 + Math.round(most - least)) * (chance.pick(20) === 0 ? 8 : 1),
    one: (of) => of[chance.pick(of.length)] as never,
    now: () => passed,
    after(ms, what, call) {
      arrivals += 1;
      const entry = due.add(passed + Math.max(0, ms), { what, call });
      return () => due.remove(entry);
    },
    sleep: (ms, what) => new Promise((resolve) => time.after(ms, what, resolve)),
    async step() {
      const next = due.first();
      if (!next) return false;
      due.remove(next);
      passed = Math.max(passed, next.at);
      steps += 1;
      note(next.item.what);
      next.item.call();
      await settle();
      return true;
    },
    steps: () => steps,
    print: () => print,
    last: () => [...last],
  };
  return time;
}
