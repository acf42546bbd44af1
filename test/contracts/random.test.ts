/** The contract of random bytes, kept by Node and by the fake. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { it } from "vitest";
import { fakeRandom } from "../fakes/fake-random.ts";
import { randomContract } from "./random.contract.ts";

randomContract("of Node", () => randomBytes);
randomContract("the fake", () => fakeRandom());

it("the fake gives the same for the same seed, and others for another", () => {
  assert.deepEqual([...fakeRandom(7)(16)], [...fakeRandom(7)(16)]);
  assert.notDeepEqual([...fakeRandom(7)(16)], [...fakeRandom(8)(16)]);
});
