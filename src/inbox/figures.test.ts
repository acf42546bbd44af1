import assert from "node:assert/strict";
import { it } from "vitest";
import { zoneProblem } from "../core/reach/zone.ts";
import { localZone } from "./figures.ts";

it("knows whose days it counts, also where the system's zone has no name", () => {
  assert.equal(localZone("Europe/Berlin", -60), "Europe/Berlin");
  assert.equal(localZone("Etc/Unknown", 0), "UTC"); // TZ is set, but empty
  assert.equal(localZone("GMT+03:00", 180), "Etc/GMT+3");
  assert.equal(localZone("Etc/Unknown", -330), "Etc/GMT-5");
  for (const behind_min of [-840, -345, 0, 180, 720])
    assert.equal(zoneProblem(localZone("Etc/Unknown", behind_min)), null, String(behind_min));
  assert.equal(zoneProblem(localZone()), null);
});
