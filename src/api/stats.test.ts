import assert from "node:assert/strict";
import { it } from "vitest";
import { startDays } from "../core/figures/days.ts";
import { statsQuery } from "./stats.ts";

it("takes only a span whose days have a date, in every zone", () => {
  assert.equal(statsQuery.safeParse({ until_ms: "9007199254740991" }).success, false);
  const { since_ms = null, until_ms = 0 } = statsQuery.parse({
    since_ms: "8630000000000000",
    until_ms: "8630000000000000",
  });
  for (const zone of ["UTC", "Pacific/Kiritimati", "Pacific/Pago_Pago"])
    assert.equal(startDays(zone).all({ since_ms, until_ms }).length, 1, zone);
});
