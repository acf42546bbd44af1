import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { sharedClock } from "./shared-clock.ts";

function setup() {
  const own = { at: 1_000_000 };
  const clock = sharedClock({ now: () => own.at, monotonic: () => 0, after: () => () => {} });
  return { own, clock };
}

describe("a shared clock", () => {
  it("says what the machine's own does until it is told otherwise", () => {
    const { own, clock } = setup();
    assert.equal(clock.now(), own.at);
    clock.agree(own.at + 900); // an answer takes its time
    assert.equal(clock.now(), own.at);
  });

  it.each([7_200_000, -7_200_000, 1500, -1500])("follows a time that is %i ms apart, and back", (apart) => {
    const { own, clock } = setup();
    clock.agree(own.at + apart);
    assert.equal(clock.now(), own.at + apart);
    own.at += 5000;
    clock.agree(own.at + apart + 300); // no unrest
    assert.equal(clock.now(), own.at + apart);
    own.at += apart; // somebody set this machine right
    clock.agree(own.at + 20);
    assert.equal(clock.now(), own.at);
  });
});
