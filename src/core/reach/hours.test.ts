import assert from "node:assert/strict";
import { describe, it } from "vitest";
import type { Hours } from "./config-types.ts";
import { afterWorking, closingOf, isWithin, nextOpening, nextTimeOfDay, workingTime } from "./hours.ts";
import { parseHours } from "./hours-text.ts";
import { firstMoment, wallAt } from "./zone.ts";

const HOUR = 3_600_000;

function hours(text: string): Hours {
  const read = parseHours(text);
  if ("problem" in read) throw new Error(read.problem);
  return read;
}

const at = (text: string) => Date.parse(text);
const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString().replace(":00.000Z", "Z"));

describe("the wall clock", () => {
  it("shows a skipped time at the change, and a doubled one the first time", () => {
    const zones = [
      ["Europe/Berlin", "2026-03-29T02:30Z", "2026-03-29T01:00Z"],
      ["Europe/Berlin", "2026-10-25T02:30Z", "2026-10-25T00:30Z"],
      ["America/New_York", "2026-03-08T02:30Z", "2026-03-08T07:00Z"],
      ["America/New_York", "2026-11-01T01:30Z", "2026-11-01T05:30Z"],
      ["Australia/Lord_Howe", "2026-10-04T02:15Z", "2026-10-03T15:30Z"], // half an hour
      ["Australia/Lord_Howe", "2026-04-05T01:45Z", "2026-04-04T14:45Z"],
      ["America/Santiago", "2026-09-06T00:00Z", "2026-09-06T04:00Z"], // midnight itself is skipped
      ["Pacific/Apia", "2011-12-30T12:00Z", "2011-12-30T10:00Z"], // a whole day is skipped
      ["Asia/Kathmandu", "2026-06-01T12:00Z", "2026-06-01T06:15Z"],
    ];
    for (const [zone = "", wall = "", moment = ""] of zones)
      assert.equal(iso(firstMoment(zone, at(wall))), moment, `${zone} ${wall}`);
  });

  it("shows a moment that was found for a time, or a later time if it was skipped", () => {
    for (const zone of ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca"]) {
      for (let wall = at("2026-01-01T00:10Z"); wall < at("2027-01-01"); wall += 5 * HOUR + 7 * 60_000) {
        const moment = firstMoment(zone, wall);
        assert.ok(wallAt(zone, moment) >= wall, `${zone} ${iso(wall)}`);
        assert.ok(wallAt(zone, moment - 1) < wall, `${zone} ${iso(wall)}: not the first`);
      }
    }
  });
});

describe("hours", () => {
  const berlin = hours("mon-fri 08:00-18:30 Europe/Berlin");

  it("are open from their first minute until just before their last", () => {
    const walk = ["05:59:59.999", "06:00:00.000", "16:29:59.999", "16:30:00.000"].map((it) =>
      isWithin(berlin, at(`2026-06-01T${it}Z`)),
    );
    assert.deepEqual(walk, [false, true, true, false]);
    assert.equal(isWithin(berlin, at("2026-06-06T10:00Z")), false, "a Saturday");
    assert.equal(isWithin(null, 0), true);
  });

  it("open at the same time of day in summer and in winter", () => {
    assert.equal(iso(nextOpening(berlin, at("2026-03-27T20:00Z"))), "2026-03-30T06:00Z");
    assert.equal(iso(nextOpening(berlin, at("2026-10-23T20:00Z"))), "2026-10-26T07:00Z");
    assert.equal(iso(nextOpening(berlin, at("2026-10-26T08:00Z"))), "2026-10-26T08:00Z");
    assert.equal(iso(closingOf(berlin, at("2026-10-26T08:00Z"))), "2026-10-26T17:30Z");
    assert.equal(closingOf(berlin, at("2026-10-25T08:00Z")), null);
  });

  it("go over midnight into the next day, also from Sunday to Monday", () => {
    const night = hours("sun 22:00-06:00 UTC");
    assert.equal(isWithin(night, at("2026-06-01T05:59Z")), true, "Monday morning");
    assert.equal(isWithin(night, at("2026-06-02T05:59Z")), false);
    assert.equal(iso(nextOpening(night, at("2026-06-01T06:00Z"))), "2026-06-07T22:00Z");
  });

  it("last an hour less or more in the nights of changing clocks", () => {
    const nights: [string, string, string, number][] = [
      ["Europe/Berlin", "2026-03-28", "2026-03-29T12:00Z", 7],
      ["Europe/Berlin", "2026-10-24", "2026-10-25T12:00Z", 9],
      ["America/New_York", "2026-03-07", "2026-03-08T20:00Z", 7],
      ["America/New_York", "2026-10-31", "2026-11-01T20:00Z", 9],
      ["Australia/Lord_Howe", "2026-10-03", "2026-10-04T02:00Z", 7.5],
      ["Australia/Lord_Howe", "2026-04-04", "2026-04-05T02:00Z", 8.5],
      ["America/Santiago", "2026-09-05", "2026-09-06T16:00Z", 7],
    ];
    for (const [zone, day, end, expected] of nights) {
      const night = hours(`mon-sun 22:00-06:00 ${zone}`);
      const from = firstMoment(zone, at(`${day}T22:00Z`));
      assert.equal(workingTime([night], from, at(end)) / HOUR, expected, `${zone} ${day}`);
      assert.equal(iso(afterWorking([night], from, expected * HOUR)), iso(closingOf(night, from)));
    }
  });

  it("are closed when the clocks skip them, and open the next day", () => {
    const skipped = hours("mon-sun 02:00-03:00 Europe/Berlin");
    assert.equal(iso(nextOpening(skipped, at("2026-03-28T12:00Z"))), "2026-03-30T00:00Z");
  });

  it("take several ranges, with the days of the one before or their own", () => {
    const busy = hours("mon,wed 08:00-12:00, 13:00-17:00, fri-sat 20:00-24:00 UTC");
    const open = (from: string, to: string) => workingTime([busy], at(from), at(to)) / HOUR;
    assert.equal(open("2026-06-01T00:00Z", "2026-06-02T00:00Z"), 8);
    assert.equal(open("2026-06-02T00:00Z", "2026-06-03T00:00Z"), 0);
    assert.equal(open("2026-06-03T11:00Z", "2026-06-03T13:30Z"), 1.5);
    assert.equal(open("2026-06-05T00:00Z", "2026-06-08T00:00Z"), 8);
  });

  it("never end if they are all day, every day", () => {
    const always = hours("mon-sun 00:00-24:00 Europe/Berlin");
    assert.equal(isWithin(always, at("2026-03-29T01:00Z")), true);
    assert.equal(closingOf(always, at("2026-06-01T00:00Z")), null);
    assert.equal(workingTime([always], at("2026-01-01"), at("2027-01-01")), 365 * 24 * HOUR);
  });

  it("of several people count once where they overlap", () => {
    const early = hours("mon-fri 06:00-12:00 UTC");
    const late = hours("mon-fri 10:00-16:00 UTC");
    const day = [at("2026-06-01T00:00Z"), at("2026-06-02T00:00Z")] as const;
    assert.equal(workingTime([early, late], ...day), 10 * HOUR);
    assert.equal(workingTime([early, null], ...day), 24 * HOUR);
    assert.equal(workingTime([], ...day), 0);
    assert.equal(iso(afterWorking([early, late], at("2026-06-05T15:00Z"), 2 * HOUR)), "2026-06-08T07:00Z");
    assert.equal(afterWorking([], day[0], HOUR), Infinity);
  });

  it("agree with a walk in steps of five minutes, through the changes of the clocks", () => {
    const texts = ["mon-sun 01:30-02:30", "sat-sun 23:00-02:45", "sun 00:00-03:00, mon-sun 05:00-06:15"];
    const spans: [string, string, string][] = [
      ["Europe/Berlin", "2026-03-28T12:00Z", "2026-03-30T12:00Z"],
      ["Europe/Berlin", "2026-10-24T12:00Z", "2026-10-26T12:00Z"],
      ["America/New_York", "2026-10-31T12:00Z", "2026-11-02T12:00Z"],
      ["Australia/Lord_Howe", "2026-04-04T00:00Z", "2026-04-06T00:00Z"],
    ];
    for (const [zone, from, to] of spans) {
      for (const text of texts) {
        const open = hours(`${text} ${zone}`);
        let minutes = 0;
        for (let now = at(from); now < at(to); now += 300_000) if (isWithin(open, now)) minutes += 5;
        assert.equal(workingTime([open], at(from), at(to)) / 60_000, minutes, `${text} ${zone}`);
      }
    }
  });
});

describe("a time of day", () => {
  it("comes once a day, at the same time on the wall", () => {
    const next = (after: string) => iso(nextTimeOfDay("Europe/Berlin", 8 * 60 + 30, at(after)));
    assert.equal(next("2026-03-28T08:00Z"), "2026-03-29T06:30Z");
    assert.equal(next("2026-03-29T06:29Z"), "2026-03-29T06:30Z");
    assert.equal(next("2026-03-29T06:30Z"), "2026-03-30T06:30Z");
    assert.equal(next("2026-10-24T12:00Z"), "2026-10-25T07:30Z");
  });
});

describe("hours that can't be read", () => {
  const wrong: [string, RegExp][] = [
    ["", /time zone, like/],
    ["mon-fri 08:00-18:30", /time zone, like/],
    ["mon-fri 08:00-18:30 Europe/Berln", /did you mean "Europe\/Berlin"\?/],
    ["mon-fry 08:00-18:30 UTC", /can't read "mon-fry 08:00-18:30"/],
    ["mon-fri 08:00-25:00 UTC", /from 00:00 to 24:00/],
    ["mon-fri 08:60-09:00 UTC", /from 00:00 to 24:00/],
    ["mon-fri 08:00-08:00 UTC", /no length/],
    ["mon-fri UTC", /days without times/],
    ["08:00-18:00 UTC", /on which days/],
    ["mon-fri 08:00-12:00,, UTC", /can't read ""/],
  ];
  for (const [text, problem] of wrong)
    it(`say why: "${text}"`, () => {
      const read = parseHours(text);
      assert.match("problem" in read ? read.problem : "no problem", problem);
    });
});
