/** Socket Mode on a clock that tests move: outages of hours, silence, refreshes that fail. */
import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { fakeClock } from "../../../test/fakes/fake-clock.ts";
import { fakeJournal } from "../../../test/fakes/fake-journal.ts";
import { SlackFailure } from "../../channel-ports.ts";
import type { SocketEvents } from "./socket-mode.ts";
import { socketMode } from "./socket-mode.ts";

type Network = "up" | "refuses" | "swallows";

interface End {
  on: SocketEvents;
  sent: string[];
  isOpen: boolean;
  pings: number;
}

function setting() {
  const clock = fakeClock();
  const ends: End[] = [];
  const heard: unknown[] = [];
  const net = { state: "up" as Network, error: null as Error | null, attempts: [] as number[] };
  const connection = socketMode({
    open() {
      net.attempts.push(clock.monotonic());
      if (net.state === "swallows") return new Promise(() => {});
      const error = net.error ?? (net.state === "refuses" ? new Error("ENETUNREACH") : null);
      return error ? Promise.reject(error) : Promise.resolve(`wss://slack/${ends.length}`);
    },
    dial(_, on) {
      const end: End = { on, sent: [], isOpen: true, pings: 0 };
      ends.push(end);
      queueMicrotask(() => on.text(JSON.stringify({ type: "hello" })));
      return {
        send: (text) => void end.sent.push(text),
        ping() {
          end.pings++;
          if (net.state === "up") on.alive();
        },
        end() {
          end.isOpen = false;
        },
      };
    },
    heard: (envelope, ack) => {
      heard.push(envelope.payload);
      ack();
    },
    clock,
    journal: fakeJournal(),
    random: () => 1,
  });
  /** Lets time pass in steps, with room for promises in between. */
  const pass = async (ms: number, stepMs = 500) => {
    for (let passed = 0; passed < ms; passed += stepMs) {
      clock.pass(Math.min(stepMs, ms - passed));
      await settle();
    }
  };
  return { clock, ends, heard, net, connection, pass };
}

const settle = async () => {
  for (let at = 0; at < 6; at++) await Promise.resolve();
};
const click = (payload: string) => JSON.stringify({ envelope_id: payload, type: "interactive", payload });
const open = (ends: End[]) => ends.filter((it) => it.isOpen).length;

describe("a connection to Slack", () => {
  for (const outage of ["refuses", "swallows"] as const)
    it(`is there again within 30 s of the network's return, twelve hours later: it ${outage}`, async () => {
      const { ends, net, connection, pass, clock } = setting();
      await settle();
      assert.equal(connection.trouble(), null);
      net.state = outage;
      ends[0]?.on.closed("reset");
      await pass(12 * 3_600_000, 5000);
      assert.notEqual(connection.trouble(), null);
      const pauses = net.attempts.slice(-100).map((it, at, all) => it - (all[at - 1] ?? it));
      assert.ok(Math.max(...pauses) <= 25_000, `waits ${Math.max(...pauses)} ms`);
      const returned = clock.monotonic();
      net.state = "up";
      while (connection.trouble() !== null && clock.monotonic() - returned < 60_000) await pass(500);
      assert.ok(clock.monotonic() - returned <= 30_000);
      assert.equal(open(ends), 1);
    });

  it("has the new one before it lets go of the old, and hears what still comes through that", async () => {
    const { ends, heard, pass } = setting();
    await settle();
    ends[0]?.on.text(JSON.stringify({ type: "disconnect", reason: "warning" }));
    await settle();
    assert.equal(open(ends), 2);
    ends[0]?.on.text(click("old"));
    ends[1]?.on.text(click("new"));
    assert.deepEqual(heard, ["old", "new"]);
    assert.deepEqual(ends[0]?.sent, [JSON.stringify({ envelope_id: "old" })]);
    await pass(10_000);
    assert.deepEqual(
      ends.map((it) => it.isOpen),
      [false, true],
    );
  });

  it("keeps the old one while a refresh fails", async () => {
    const { ends, heard, net, connection, pass } = setting();
    await settle();
    net.state = "refuses";
    ends[0]?.on.text(JSON.stringify({ type: "disconnect", reason: "refresh_requested" }));
    await pass(1000);
    assert.equal(connection.trouble(), null);
    ends[0]?.on.text(click("still"));
    assert.deepEqual(heard, ["still"]);
    net.state = "up";
    await pass(2000);
    assert.equal(ends.length, 2);
  });

  it("notices that nobody is at the other end", async () => {
    const { ends, net, connection, pass } = setting();
    await settle();
    await pass(60_000);
    assert.equal(ends.length, 1);
    net.state = "swallows";
    await pass(31_000);
    assert.equal(ends[0]?.isOpen, false);
    assert.notEqual(connection.trouble(), null);
  });

  it("does not dial in a frenzy where each connection ends at once", async () => {
    const { ends, pass } = setting();
    for (let passed = 0; passed < 60_000; passed += 500) {
      await pass(500);
      ends.at(-1)?.on.closed("gone");
    }
    assert.ok(ends.length < 15, `${ends.length} connections in a minute`);
  });

  it("says that a token was revoked, honours a pause, and is back with a new token", async () => {
    const { net, connection, pass, ends } = setting();
    net.error = new SlackFailure("token_revoked");
    await settle();
    ends[0]?.on.closed("gone");
    await pass(5000);
    assert.equal(connection.trouble(), "token_revoked");
    net.error = new SlackFailure("ratelimited", "Slack asks for a pause", 12_000);
    await pass(20_000);
    const before = net.attempts.length;
    await pass(5000);
    assert.ok(net.attempts.length <= before + 1);
    net.error = null;
    await pass(15_000);
    assert.equal(connection.trouble(), null);
  });

  it("ends everything when it is closed", async () => {
    const { ends, net, connection, pass } = setting();
    await settle();
    connection.close();
    await pass(120_000, 10_000);
    assert.equal(open(ends), 0);
    assert.equal(net.attempts.length, 1);
  });

  it("takes no harm from what is no message", async () => {
    const { ends, heard } = setting();
    await settle();
    for (const text of ["", "null", "[]", "{", '"x"', '{"type":1}', '{"envelope_id":7}'])
      ends[0]?.on.text(text);
    assert.deepEqual(heard, []);
    ends[0]?.on.text(click("fine"));
    assert.deepEqual(heard, ["fine"]);
  });
});
