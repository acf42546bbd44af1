import assert from "node:assert/strict";
import { it } from "vitest";
import { strictest } from "./rule.ts";

it("asks for the fresher signature, whichever of two rules says so", () => {
  const [short, long] = [{ fresh: "passkey 5m" }, { fresh: "passkey 1h" }];
  for (const [one, other] of [
    [short, long],
    [long, short],
    [short, { min: 2 }],
    [{ min: 2 }, short],
  ] as const)
    assert.equal(strictest(one, other)?.fresh, "passkey 5m", JSON.stringify([one, other]));
  assert.equal(strictest({ min: 2 }, { min: 3 })?.fresh, undefined);
});
