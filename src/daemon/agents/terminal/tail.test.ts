import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { fakeClock } from "../../../../test/fakes/fake-clock.ts";
import { Unreachable } from "../../../ports.ts";
import { tailOf, UNREAD } from "./tail.ts";

/** A terminal that shows these screens, one per look; the last one stays. */
function showing(...screens: string[]) {
  let looks = 0;
  const screen = async () => screens[Math.min(looks++, screens.length - 1)] ?? "";
  return { terminals: { screen } as never, clock: fakeClock(), looks: () => looks };
}

describe("the tail of a terminal", () => {
  it("has what was printed just before the report, though the terminal reads it a moment later", async () => {
    assert.equal(await tailOf(showing("before", "before\nand after"), "agt-1"), "before\nand after");
  });

  it("is the newest screen of a terminal that never rests", async () => {
    const terminal = showing("1", "2", "3", "4", "5", "6");
    assert.equal(await tailOf(terminal, "agt-1"), "4");
    assert.equal(terminal.looks(), 4);
  });

  it("has at most 50 lines, the last ones, without the empty ones below", async () => {
    const lines = Array.from({ length: 80 }, (_, n) => `line ${n}`);
    const tail = await tailOf(showing(`${lines.join("\n")}\n\n\n`), "agt-1");
    assert.deepEqual(tail.split("\n"), lines.slice(30));
  });

  it("is empty where the terminal is gone", async () => {
    const screen = async () => Promise.reject(new Error("no such terminal"));
    assert.equal(await tailOf({ terminals: { screen } as never, clock: fakeClock() }, "agt-1"), "");
  });

  it("says so where the terminal does not respond, at once or at all", async () => {
    const refused = async () => Promise.reject(new Unreachable("tmux did not answer for 10 s"));
    assert.equal(
      await tailOf({ terminals: { screen: refused } as never, clock: fakeClock() }, "agt-1"),
      UNREAD,
    );
    const clock = fakeClock();
    const asked = tailOf({ terminals: { screen: () => new Promise(() => {}) } as never, clock }, "agt-1");
    clock.pass(2000);
    assert.equal(await asked, UNREAD);
  });
});
