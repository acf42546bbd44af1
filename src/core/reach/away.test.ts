import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { waitsUntil } from "./away.ts";
import type { Person } from "./config-types.ts";
import { parseHours } from "./hours-text.ts";

const zone = "Europe/Berlin";
const person = (hours: string | null, digest: number | null = null): Person => {
  const read = hours === null ? null : parseHours(`${hours} ${zone}`);
  if (read !== null && !("ranges" in read)) throw new Error("these are no hours");
  return { name: "ana", addresses: {}, hours: read, digest };
};
const at = (text: string) => Date.parse(`${text}+01:00`);
const when = (people: Person[], text: string, urgency: "high" | "medium" = "medium") => {
  const next = waitsUntil(people, urgency, at(text));
  return next === undefined ? "now" : new Date(next + 3_600_000).toISOString().slice(0, 16);
};
const office = person("mon-fri 08:00-18:30", 8 * 60 + 30);

describe("a notice", () => {
  it("comes at once within the hours, and to whoever has none", () => {
    assert.equal(when([office], "2026-11-16T08:10"), "now");
    assert.equal(when([person(null)], "2026-11-15T03:00"), "now");
  });

  it("comes at once if it is urgent, or if one of several is there", () => {
    assert.equal(when([office], "2026-11-15T03:00", "high"), "now");
    assert.equal(when([office, person("mon-sun 00:00-23:59")], "2026-11-15T03:00"), "now");
  });

  it("waits for the digest of the next working day", () => {
    assert.equal(when([office], "2026-11-16T19:00"), "2026-11-17T08:30");
    assert.equal(when([office], "2026-11-13T19:00"), "2026-11-16T08:30"); // a Friday evening
    assert.equal(when([person("mon-fri 08:00-18:30", 7 * 60)], "2026-11-14T12:00"), "2026-11-16T07:00");
  });

  it("waits until they are back, if the digest of that day has been", () => {
    const split = person("mon-thu 08:00-12:00, 13:00-17:00, fri 08:00-14:00", 8 * 60 + 30);
    assert.equal(when([split], "2026-11-16T12:30"), "2026-11-16T13:00");
    assert.equal(when([split], "2026-11-16T17:30"), "2026-11-17T08:30");
    assert.equal(when([split], "2026-11-13T14:30"), "2026-11-16T08:30"); // a Friday afternoon
    const early = person("mon-fri 09:00-17:00", 8 * 60 + 30);
    assert.equal(when([early], "2026-11-13T08:40"), "2026-11-13T09:00");
    const noon = person("mon-fri 08:00-12:00, 13:00-17:00", 12 * 60 + 30);
    assert.equal(when([noon], "2026-11-16T07:00"), "2026-11-16T12:30");
    const night = person("mon-sun 22:00-06:00", 30);
    assert.equal(when([night], "2026-11-16T20:00"), "2026-11-17T00:30");
  });

  it("waits until they are back, without a time for a digest", () => {
    assert.equal(when([person("mon-fri 08:00-18:30")], "2026-11-14T12:00"), "2026-11-16T08:00");
  });
});
