import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { shortDate, sinceOf, untilOf } from "./moments.ts";

const now = new Date(2026, 10, 16, 14, 30).getTime();
const at = (month: number, day: number, hour = 0, minute = 0) =>
  new Date(2026, month - 1, day, hour, minute).getTime();

describe("a span of time", () => {
  it("begins so long ago, with a day, or with a time", () => {
    assert.equal(sinceOf(undefined, now), undefined);
    assert.equal(sinceOf("7d", now), at(11, 9, 14, 30));
    assert.equal(sinceOf("2026-11-10", now), at(11, 10));
    assert.equal(sinceOf("2026-11-10T14:30", now), at(11, 10, 14, 30));
    assert.equal(sinceOf("2026-11-10 14:30", now), at(11, 10, 14, 30));
    assert.equal(sinceOf("2026-11-10T14:30Z", now), Date.UTC(2026, 10, 10, 14, 30));
    assert.equal(sinceOf("Today", now), at(11, 16));
    assert.equal(sinceOf("yesterday", now), at(11, 15));
    assert.equal(sinceOf("999999d", now), 0);
    assert.equal(sinceOf("1960-01-01", now), 0);
  });

  it("ends with the end of the day that was given", () => {
    assert.equal(untilOf("2026-11-30", now), at(12, 1));
    assert.equal(untilOf("yesterday", now), at(11, 16));
    assert.equal(untilOf("1h", now), at(11, 16, 13, 30));
    assert.equal(untilOf("2026-11-10T14:30", now), at(11, 10, 14, 30));
  });

  for (const text of ["", "last week", "2026-02-30", "2026-13-01", "7", "2026-11-10T99:99"])
    it(`refuses "${text}", and says what it takes`, () =>
      assert.throws(() => sinceOf(text, now), {
        code: "usage",
        message: `"${text}" is not a time`,
        hint: /--since takes 7d, 2026-11-10/,
      }));
});

it("a date has its year only if it is another one", () => {
  assert.equal(shortDate(at(1, 2, 3, 4), now), "01-02 03:04");
  assert.equal(shortDate(new Date(2025, 11, 31, 23, 59).getTime(), now), "2025-12-31 23:59");
});
