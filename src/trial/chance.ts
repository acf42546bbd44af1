/** Numbers that look random and are the same for the same seed. */
export interface Chance {
  /** A whole number from 0 up to, not including, `below`. */
  pick(below: number): number;
  bytes(count: number): Uint8Array;
}

export function chanceOf(seed: number): Chance {
  let now = (seed ^ 0x9e3779b9) >>> 0;
  const next = () => {
    now = (now + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(now ^ (now >>> 15), now | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  return {
    pick: (below) => next() % below,
    bytes: (count) => Uint8Array.from({ length: count }, () => next() & 255),
  };
}
