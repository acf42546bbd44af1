/** The contract of random bytes, kept by the pool that the daemon uses and by the fake. */
import assert from "node:assert/strict";
import { it } from "vitest";
import { pooledRandom } from "../../src/adapters/system/random.ts";
import { fakeRandom } from "../fakes/fake-random.ts";
import { randomContract } from "./random.contract.ts";

randomContract("of the pool", () => pooledRandom());
randomContract("the fake", () => fakeRandom());

it("the fake gives the same for the same seed, and others for another", () => {
  assert.deepEqual([...fakeRandom(7)(16)], [...fakeRandom(7)(16)]);
  assert.notDeepEqual([...fakeRandom(7)(16)], [...fakeRandom(8)(16)]);
});
