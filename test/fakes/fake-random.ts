/** The port `random`: bytes that look random and are the same in every run of a test. Passes its contract. */
import type { Ports } from "../../src/ports.ts";

export function fakeRandom(seed = 1): Ports["random"] {
  let now = seed >>> 0;
  const next = () => {
    now = (now + 0x6d2b79f5) >>> 0; // mulberry32
    let mixed = Math.imul(now ^ (now >>> 15), now | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) & 0xff;
  };
  return (bytes) => Array.from({ length: bytes }, next);
}
