import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { fakeClock } from "../../../test/fakes/fake-clock.ts";
import { settled } from "../../../test/fakes/settled.ts";
import type { Releasers } from "./releasers.ts";
import { startReleasers, withReleasers } from "./releasers.ts";

/** Takes these things; returns the list that records the order in which they are released. */
function taken(releasers: Releasers, names: string[], released: string[] = []): string[] {
  for (const name of names)
    releasers.add(name, async () => {
      await settled(2);
      released.push(name);
    });
  return released;
}

describe("releasers", () => {
  it("release in reverse order, one after the other", async () => {
    const releasers = startReleasers(fakeClock());
    const released = taken(releasers, ["log", "engine", "server"]);
    await releasers.release();
    assert.deepEqual(released, ["server", "engine", "log"]);
  });

  it("try every release, and tell all that failed", async () => {
    const releasers = startReleasers(fakeClock());
    const released = taken(releasers, ["log"]);
    releasers.add("engine", () => Promise.reject(new Error("it is busy")));
    taken(releasers, ["server"], released);
    releasers.add("socket", () => {
      throw new Error("it is gone");
    });
    await assert.rejects(releasers.release(), (error: AggregateError) => {
      assert.equal(error.message, "not released: socket: it is gone; engine: it is busy");
      assert.equal(error.errors.length, 2);
      return true;
    });
    assert.deepEqual(released, ["server", "log"]);
  });

  it("give up on a release that hangs, and go on to the next", async () => {
    const clock = fakeClock();
    const releasers = startReleasers(clock);
    const released = taken(releasers, ["log"]);
    releasers.add("engine", () => new Promise(() => {}), 2000);
    const outcome = assert.rejects(releasers.release(), {
      message: "not released: engine: it took longer than 2 s",
    });
    await settled();
    clock.pass(1999);
    await settled();
    assert.deepEqual(released, []);
    clock.pass(1);
    await outcome;
    assert.deepEqual(released, ["log"]);
  });

  it("release once, however often they are told to", async () => {
    const releasers = startReleasers(fakeClock());
    const released = taken(releasers, ["log", "engine"]);
    await Promise.all([releasers.release(), releasers.release()]);
    await releasers.release();
    assert.deepEqual(released, ["engine", "log"]);
  });

  it("tell everybody who asks that something failed", async () => {
    const releasers = startReleasers(fakeClock());
    releasers.add("log", () => Promise.reject(new Error("full")));
    await assert.rejects(releasers.release(), { message: "not released: log: full" });
    await assert.rejects(releasers.release(), { message: "not released: log: full" });
  });

  it("release at once what comes too late", async () => {
    const releasers = startReleasers(fakeClock());
    await releasers.release();
    const released = taken(releasers, ["log"]);
    await settled();
    assert.deepEqual(released, ["log"]);
  });

  it("leave no timer behind", async () => {
    const clock = fakeClock();
    let armed = 0;
    const counted = {
      ...clock,
      after(ms: number, call: () => void) {
        armed += 1;
        const disarm = clock.after(ms, call);
        return () => {
          armed -= 1;
          disarm();
        };
      },
    };
    const releasers = startReleasers(counted);
    taken(releasers, ["log", "engine"]);
    await releasers.release();
    assert.equal(armed, 0);
  });
});

describe("a start with releasers", () => {
  it("gives what it made, and releases nothing", async () => {
    let released: string[] = [];
    const made = await withReleasers(fakeClock(), async (releasers) => {
      released = taken(releasers, ["log"]);
      return "made";
    });
    assert.equal(made, "made");
    assert.deepEqual(released, []);
  });

  it("that fails half-way releases what it has, and then tells why it failed", async () => {
    const released: string[] = [];
    const started = withReleasers(fakeClock(), async (releasers) => {
      releasers.add("log", () => released.push("log"));
      releasers.add("engine", () => released.push("engine"));
      await settled(1);
      throw new Error("the port is taken");
    });
    await assert.rejects(started, { message: "the port is taken" });
    assert.deepEqual(released, ["engine", "log"]);
  });

  it("tells why it failed, also when a release fails after it", async () => {
    const released: string[] = [];
    const started = withReleasers(fakeClock(), async (releasers) => {
      releasers.add("log", () => released.push("log"));
      releasers.add("engine", () => Promise.reject(new Error("it is busy")));
      throw new Error("the port is taken");
    });
    await assert.rejects(started, { message: "the port is taken" });
    assert.deepEqual(released, ["log"]);
  });
});
