import assert from "node:assert/strict";
import { it } from "vitest";
import { fakeClock } from "../../../test/fakes/fake-clock.ts";
import { lane } from "./lanes.ts";

it("lets what settles a message pass new ones that wait for their turn", async () => {
  const it = lane(fakeClock());
  const order: string[] = [];
  const ends: (() => void)[] = [];
  const slow = (name: string) => () => {
    order.push(name);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  const runs = [1, 2, 3, 4, 5, 6].map((at) => it.run(slow(`new ${at}`)));
  runs.push(it.run(slow("settled"), true));
  await Promise.resolve();
  assert.deepEqual(order, ["new 1", "new 2", "new 3", "new 4", "settled"]);
  while (ends.length > 0) {
    ends.shift()?.();
    for (let at = 0; at < 5; at++) await Promise.resolve();
  }
  await Promise.all(runs);
  assert.equal(order.length, 7);
});
