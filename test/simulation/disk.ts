/**
 * The disk under the log: a write takes its time, and a death in the middle of one leaves all of it or nothing. While
 * it is full, nothing is written.
 */
import { Refusal } from "../../src/core/model/errors.ts";
import type { Time } from "./time.ts";

/** What ended a daemon: its process was killed, or its machine lost power. */
export type Death = "kill" | "power";

export interface Disk {
  /** It is this one's turn to write. */
  takenBy(writer: object): void;
  /** Returns how many of these events are there once it is over. */
  write(events: number): Promise<number>;
  died(writer: object, how: Death): void;
  /** Somebody else takes all the space that is left, for so long. */
  fill(ms: number): void;
  isFull(): boolean;
}

/** `slow`: so many writes in a hundred take seconds. `torn`: what is left of a write that was cut off; a sound disk has none of it. */
export function startDisk(time: Time, slow: () => number, torn: (events: number) => number = () => 0): Disk {
  let writer: object | null = null;
  let underWay: { by: object | null; events: number; written: number; end(there: number): void } | null =
    null;
  let fullUntil = 0;
  const isFull = () => time.now() < fullUntil;
  const took = () => (time.odds(slow()) ? time.span(500, 20_000) : time.span(0, 3));

  return {
    takenBy(next) {
      writer = next;
    },
    write: (events) =>
      new Promise((resolve, reject) => {
        if (isFull()) return reject(full());
        const written = time.now() + took();
        const end = (there: number) => {
          disarm();
          underWay = null;
          resolve(there);
        };
        const disarm = time.after(written + took() - time.now(), "the disk has synced", () => end(events));
        underWay = { by: writer, events, written, end };
      }),
    died(by, how) {
      if (underWay?.by !== by) return;
      const { events, written, end } = underWay;
      // Once it is written, it outlives the process; before it is synced, it may not outlive the power.
      const isThere = time.now() >= written && (how === "kill" || time.odds(50));
      end(isThere ? events : torn(events));
    },
    fill(ms) {
      fullUntil = time.now() + ms;
    },
    isFull,
  };
}

export function full(): Refusal {
  return new Refusal("store.full", "the disk is full; nothing was written", null);
}
