import assert from "node:assert/strict";
import { it } from "vitest";
import { fakeClock } from "../../../test/fakes/fake-clock.ts";
import { rateLimits } from "./rates.ts";

it("a caller that asks too often is refused and told when to come back, and others are left alone", () => {
  const clock = fakeClock();
  const rates = rateLimits(clock, 60);
  for (let n = 0; n < 60; n++) rates.take("bot");
  assert.throws(() => rates.take("bot"), { code: "request.too-many", hint: "try again in 1 s" });
  rates.take("other");
  clock.pass(1000);
  rates.take("bot");
  assert.throws(() => rates.take("bot"), { code: "request.too-many" });
});
