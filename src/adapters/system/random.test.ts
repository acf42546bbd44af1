import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { pooledRandom } from "./random.ts";

describe("random bytes from a pool", () => {
  it("hands out no byte twice, and keeps what it handed out", () => {
    let filled = 0;
    const random = pooledRandom((pool) => {
      filled += 1;
      for (let at = 0; at < pool.length; at += 4) pool.writeUInt32LE(filled * 10_000 + at, at);
    });
    const given = Array.from({ length: 300 }, () => random(32));
    assert.equal(filled, 3, "4,096 bytes are enough for 128 ids");
    assert.equal(new Set(given.map((it) => it.toString("hex"))).size, 300);
  });

  it("fills the pool early when what is left is not enough", () => {
    const random = pooledRandom();
    for (const bytes of [4000, 100, 4096, 1]) assert.equal(random(bytes).length, bytes);
  });

  it("comes from the system's generator", () => {
    const [one, other] = [pooledRandom()(32), pooledRandom()(32)];
    assert.notDeepEqual(one, other);
    assert.notDeepEqual(one, Buffer.alloc(32));
  });
});
