/** Random bytes, fetched many at a time: each call of the system's generator costs more than what an id needs. */
import { randomFillSync } from "node:crypto";

const POOL_BYTES = 4096;

/** No byte is handed out twice. */
export function pooledRandom(fill: (pool: Buffer) => unknown = randomFillSync): (bytes: number) => Buffer {
  const pool = Buffer.alloc(POOL_BYTES);
  let used = POOL_BYTES;
  return (bytes) => {
    if (bytes > POOL_BYTES) {
      const own = Buffer.alloc(bytes);
      fill(own);
      return own;
    }
    if (used + bytes > POOL_BYTES) {
      fill(pool);
      used = 0;
    }
    used += bytes;
    return Buffer.from(pool.subarray(used - bytes, used)); // a copy: the pool is filled again
  };
}
