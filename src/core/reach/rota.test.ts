import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Rota } from "./config-types.ts";
import { turnAt } from "./rota.ts";

const DAY = 86_400_000;
const HOUR = 3_600_000;

function rota(turn_ms: number, local: string, zone: string, people = ["ana", "ben", "cy"]): Rota {
  return { people, turn_ms, from: { local, zone } };
}

const person = (it: Rota, at: string) => turnAt(it, Date.parse(at)).person;

describe("a rota", () => {
  it("goes round", () => {
    const daily = rota(DAY, "2026-06-01T09:00", "UTC");
    const days = ["01T09:00Z", "02T08:59Z", "02T09:00Z", "03T12:00Z", "04T09:00Z"];
    assert.deepEqual(
      days.map((it) => person(daily, `2026-06-${it}`)),
      ["ana", "ana", "ben", "cy", "ana"],
    );
  });

  it("is with its first person before it begins", () => {
    const weekly = rota(7 * DAY, "2026-06-01T09:00", "UTC");
    assert.equal(person(weekly, "2026-05-20T09:00Z"), "ana");
    assert.equal(person(weekly, "2026-05-31T09:00Z"), "ana");
    assert.equal(turnAt(weekly, Date.parse("2026-05-20T09:00Z")).until_ms, Date.parse("2026-06-08T09:00Z"));
  });

  it("changes at the same time on the wall all year, in every zone", () => {
    for (const zone of ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"]) {
      const weekly = rota(7 * DAY, "2026-01-05T09:00", zone);
      const clock = new Intl.DateTimeFormat("en-GB", {
        timeZone: zone,
        weekday: "short",
        hour: "2-digit",
        minute: "2-digit",
      });
      let now = turnAt(weekly, Date.parse("2026-01-06T00:00Z"));
      for (let week = 1; week < 60; week++) {
        const next = turnAt(weekly, now.until_ms);
        assert.equal(next.from_ms, now.until_ms);
        assert.equal(next.person, weekly.people[week % 3]);
        assert.match(clock.format(next.from_ms), /^Mon,? 09:00$/, `${zone}, week ${week}`);
        assert.equal(turnAt(weekly, next.from_ms - 1).person, now.person);
        now = next;
      }
    }
  });

  it("has turns of half a day that last an hour less or more when clocks change", () => {
    const shifts = rota(12 * HOUR, "2026-03-28T09:00", "Europe/Berlin", ["day", "night"]);
    const night = turnAt(shifts, Date.parse("2026-03-28T22:00Z"));
    assert.deepEqual([night.person, (night.until_ms - night.from_ms) / HOUR], ["night", 11]);
    const autumn = turnAt(shifts, Date.parse("2026-10-25T00:30Z"));
    assert.deepEqual([autumn.person, (autumn.until_ms - autumn.from_ms) / HOUR], ["night", 13]);
  });

  it("knows whose turn it is in an hour that comes twice or never", () => {
    const early = rota(DAY, "2026-10-24T02:15", "Europe/Berlin");
    const walk = ["00:14", "00:15", "01:05", "01:20", "03:00"].map((it) =>
      person(early, `2026-10-25T${it}Z`),
    );
    assert.deepEqual(walk, ["ana", "ben", "ben", "ben", "ben"]);
    const skipped = rota(DAY, "2026-03-28T02:15", "Europe/Berlin");
    assert.equal(person(skipped, "2026-03-29T00:59Z"), "ana");
    assert.equal(person(skipped, "2026-03-29T01:00Z"), "ben");
  });
});
