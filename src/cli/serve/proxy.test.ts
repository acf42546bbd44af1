import assert from "node:assert/strict";
import { it } from "vitest";
import { backOff } from "./proxy.ts";

it("slows down an address that fails again and again, and no other", () => {
  let now = 0;
  const strangers = backOff(() => now);
  for (let n = 0; n < 19; n++) strangers.note("a");
  assert.equal(strangers.waits("a"), 0);
  strangers.note("a");
  assert.equal(strangers.waits("a"), 1);
  for (let n = 0; n < 3; n++) strangers.note("a");
  assert.deepEqual([strangers.waits("a"), strangers.waits("b")], [8, 0]);
  now += 8000;
  assert.equal(strangers.waits("a"), 0);
  now += 60_000;
  strangers.note("a");
  assert.equal(strangers.waits("a"), 0);
});
