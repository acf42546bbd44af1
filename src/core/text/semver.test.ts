import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { compareVersions, meeting } from "./semver.ts";

/** As semver.org has it, oldest first. */
const ORDER = [
  "0.0.0-dev",
  "0.1.0-alpha",
  "0.1.0-alpha.1",
  "0.1.0-alpha.beta",
  "0.1.0-beta",
  "0.1.0-beta.2",
  "0.1.0-beta.11",
  "0.1.0-rc.1",
  "0.1.0",
  "0.1.2",
  "0.1.10",
  "0.2.0",
  "0.10.0",
  "1.0.0-rc.1",
  "1.0.0",
  "10.0.0",
];

describe("versions", () => {
  it("are ordered as semver orders them, each against each", () => {
    ORDER.forEach((a, i) => {
      ORDER.forEach((b, k) => {
        assert.equal(Math.sign(compareVersions(a, b) ?? Number.NaN), Math.sign(i - k), `${a} and ${b}`);
      });
    });
  });

  it("are equal whatever follows a plus", () => {
    assert.equal(compareVersions("1.2.3+abc", "1.2.3+def"), 0);
    assert.equal(compareVersions("v1.2.3", "1.2.3"), 0);
  });

  it("can't be compared with something that is not a version", () => {
    for (const it of ["", "latest", "1.2", "1.2.3.4", "1.2.x"])
      assert.equal(compareVersions("1.2.3", it), null);
  });
});

describe("a caller and a daemon", () => {
  const cases: [caller: string, daemon: string, ReturnType<typeof meeting>][] = [
    ["0.1.0", "0.1.0", "same"],
    ["0.1.0+one", "0.1.0+two", "same"],
    ["0.2.0", "0.1.9", "newer"],
    ["0.2.0", "0.2.0-rc.1", "newer"],
    ["0.1.9", "0.2.0", "older"],
    ["1.0.0-rc.1", "1.0.0", "older"],
    ["1.9.9", "2.0.0", "too-old"],
    ["2.0.0", "1.9.9", "newer"],
    ["mine", "1.9.9", "unknown"],
  ];
  for (const [caller, daemon, expected] of cases)
    it(`${caller} is ${expected} for a daemon of ${daemon}`, () =>
      assert.equal(meeting(caller, daemon), expected));

  it("never keep replacing each other", () => {
    for (const a of ORDER)
      for (const b of ORDER)
        assert.ok(!(meeting(a, b) === "newer" && meeting(b, a) === "newer"), `${a} ${b}`);
  });
});
