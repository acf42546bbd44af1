/** Faults between a daemon and PostgreSQL: nothing is lost, nothing is written twice, and nobody waits for long. */
import assert from "node:assert/strict";
import { describe, it, onTestFinished } from "vitest";
import type { Event } from "../../src/core/model/events.ts";
import type { Log } from "../../src/ports.ts";
import type { Relay } from "../fakes/servers/relay.ts";
import { relayTo } from "../fakes/servers/relay.ts";
import { writeLog } from "../fakes/write-log.ts";
import { asked, askedRange } from "./log-support.ts";
import { keeper, logAt, noPostgres, sharedServer } from "./postgres-support.ts";
import { until } from "./temp.ts";

const server = sharedServer();
/** As it travels: the text and its end. */
const COMMIT = "COMMIT\0";

/** A log behind a relay, and another straight at the same database. */
async function setup(): Promise<{ url: string; relay: Relay; far: Log; near: Log }> {
  const url = await server().database();
  const relay = await relayTo(server().port);
  const far = logAt(url.replace(`:${server().port}/`, `:${relay.port}/`));
  const near = logAt(url);
  onTestFinished(async () => {
    relay.thaw();
    await far.close();
    await near.close();
    await relay.close();
  });
  await far.open();
  await near.open();
  return { url, relay, far, near };
}

/** Decides on one event after whatever is there; remembers how often it was asked. */
function oneMore(after = 0) {
  let seen = after;
  const calls: number[] = [];
  const decide = (news: readonly Event[]) => {
    seen = news.at(-1)?.seq ?? seen;
    calls.push(seen);
    return [asked(seen + 1, `dec-mine`)];
  };
  return { calls, decide };
}

const idsIn = async (log: Log) => (await log.read(0, 1000)).map((it) => (it as { id: string }).id);

describe.skipIf(noPostgres !== null)("a connection that breaks", () => {
  it("instead of the reply to COMMIT: the events are found, acknowledged, and in the log once", async () => {
    const { relay, far, near } = await setup();
    await writeLog(far, [asked(1)]);
    relay.loseReplyTo(COMMIT);
    const { calls, decide } = oneMore(1);
    await far.turn(1, decide);
    assert.equal(relay.lost(), 1);
    assert.deepEqual(calls, [1], "it is not decided again");
    assert.deepEqual(await idsIn(near), ["dec-1", "dec-mine"]);
    await writeLog(far, [asked(3)]);
  });

  it("before COMMIT was received: it is decided again, on what others wrote meanwhile", async () => {
    const { relay, far, near } = await setup();
    await writeLog(far, [asked(1)]);
    const { calls, decide } = oneMore(1);
    let others: Promise<void> | null = null;
    await far.turn(1, (news) => {
      if (others === null) {
        relay.loseRequest(COMMIT);
        others = near.turn(1, (theirs) => [asked((theirs.at(-1)?.seq ?? 1) + 1, "dec-2")]); // waits for our lock
      }
      return decide(news);
    });
    await others;
    assert.equal(relay.lost(), 1);
    assert.deepEqual(calls.length, 2);
    assert.deepEqual((await idsIn(near)).sort(), ["dec-1", "dec-2", "dec-mine"]);
  });

  it("over and over loses and doubles nothing", async () => {
    const { relay, far, near } = await setup();
    let seen = 0;
    for (let n = 0; n < 30; n++) {
      if (n % 3 === 0) relay.loseReplyTo(COMMIT);
      if (n % 3 === 1) relay.loseRequest(COMMIT);
      if (n % 5 === 2) relay.cut();
      let last = seen;
      await far.turn(seen, (news) => {
        seen = news.at(-1)?.seq ?? seen;
        last = seen + 1;
        return [asked(last, `dec-${n}`)];
      });
      seen = last;
    }
    assert.deepEqual(
      await idsIn(near),
      Array.from({ length: 30 }, (_, n) => `dec-${n}`),
    );
  });
});

describe.skipIf(noPostgres !== null)("a daemon that is cut off inside the lock", () => {
  it("holds the others up until PostgreSQL ends it, and writes once it is back", async () => {
    const { relay, far, near } = await setup();
    const began = performance.now();
    let waited = 0;
    let others: Promise<void> | null = null;
    const { calls, decide } = oneMore();
    await far.turn(0, (news) => {
      if (others === null) {
        relay.freezeAll();
        others = near
          .turn(0, () => [asked(1)])
          .then(() => {
            waited = performance.now() - began;
            relay.thaw();
          });
      }
      return decide(news);
    });
    assert.ok(waited > 2500 && waited < 20_000, `the other one waited ${Math.round(waited)} ms`);
    assert.deepEqual(calls, [0, 1]);
    assert.deepEqual(await idsIn(near), ["dec-1", "dec-mine"]);
  });
});

describe.skipIf(noPostgres !== null)("a database that is away", () => {
  it("refuses writes in time, says so, and takes them once it is back", async () => {
    const { relay, far } = await setup();
    await writeLog(far, [asked(1)]);
    relay.freezeAll();
    const began = performance.now();
    await assert.rejects(writeLog(far, [asked(2)]), {
      code: "store.unreachable",
      message: /PostgreSQL at 127/,
    });
    const took = performance.now() - began;
    assert.ok(took < 20_000, `it took ${Math.round(took)} ms`);
    relay.thaw();
    await far.turn(1, (news) => [asked((news.at(-1)?.seq ?? 1) + 1, "dec-later")]);
    assert.deepEqual((await idsIn(far)).at(-1), "dec-later");
  });

  it("is an error at the start, too, and never shows the password", async () => {
    const log = logAt("postgres://oj:s3cret@127.0.0.1:1/none", { openWithinMs: 1000 });
    await assert.rejects(log.open(), (error: Error & { code?: string }) => {
      assert.equal(error.code, "store.unreachable");
      assert.match(error.message, /PostgreSQL at 127\.0\.0\.1:1\/none can't be reached/);
      assert.ok(!error.message.includes("s3cret"));
      return true;
    });
    await log.close();
  });
});

describe.skipIf(noPostgres !== null)("a listener whose connection is dead and looks open", () => {
  it("notices that, connects again, and hears what it missed", async () => {
    const { relay, far, near } = await setup();
    let heard = 0;
    far.follow(() => {
      heard += 1;
    });
    await writeLog(near, [asked(1)]);
    await until(() => heard > 0);
    await far.read(0, 10);
    relay.freeze();
    const before = heard;
    await writeLog(near, [asked(2)]);
    await until(() => heard > before, 20_000);
  });
});

describe.skipIf(noPostgres !== null)("a log that is not the one it was", () => {
  it("because commits were lost is refused, even once it is as long again", async () => {
    const { url, far } = await setup();
    await writeLog(far, askedRange(1, 3));
    const zeros = "decode(repeat('00', 32), 'hex')";
    server().sql(url, `DELETE FROM events; DELETE FROM batches; UPDATE head SET seq = 0, chain = ${zeros}`);
    await assert.rejects(writeLog(far, [asked(4)]), { code: "store.rewound", message: /event 3 is gone/ });
    const near = logAt(url);
    await near.open();
    await writeLog(near, askedRange(1, 5));
    await near.close();
    await assert.rejects(writeLog(far, [asked(4)]), { code: "store.rewound" });
  });

  it("is noticed at the next start too, until a person says that it shall be used", async () => {
    const url = await server().database();
    const self = keeper();
    const before = logAt(url, { keeper: self });
    await before.open();
    await writeLog(before, askedRange(1, 3));
    await before.close();
    server().sql(
      url,
      "DELETE FROM events WHERE seq = 3; UPDATE head SET seq = 2, chain = (SELECT chain FROM events WHERE seq = 2)",
    );
    const next = logAt(url, { keeper: self });
    await assert.rejects(next.open(), { code: "store.rewound", message: /event 3 is gone/ });
    await next.close();
    const repaired = logAt(url, { keeper: self });
    assert.equal((await repaired.open({ repair: true })).tip, 2);
    await writeLog(repaired, [asked(3)]);
    await repaired.close();
    const after = logAt(url, { keeper: self });
    assert.equal((await after.open()).tip, 3);
    await after.close();
  });

  it("because somebody rewrote it is refused", async () => {
    const { url, far, near } = await setup();
    await writeLog(far, askedRange(1, 3));
    server().sql(
      url,
      `UPDATE events SET chain = sha256('x') WHERE seq = 3; UPDATE head SET chain = sha256('x')`,
    );
    await assert.rejects(writeLog(far, [asked(4)]), {
      code: "store.rewound",
      message: /event 3 is another one/,
    });
    assert.equal((await near.verify())?.seq, 3);
  });

  it("because an event was edited is damaged, and the event is named", async () => {
    const { url, near } = await setup();
    await writeLog(near, askedRange(1, 5));
    server().sql(url, `UPDATE events SET body = replace(body, 'Question 2', 'Question 9') WHERE seq = 2`);
    const fresh = logAt(url);
    await fresh.open();
    assert.equal((await fresh.read(0, 10)).length, 1);
    await assert.rejects(fresh.read(1, 10), { code: "store.damaged", message: /damaged at event 2/ });
    assert.equal((await fresh.verify())?.seq, 2);
    await fresh.close();
  });
});

describe.skipIf(noPostgres !== null)("an identity", () => {
  it("is one daemon's: a copied folder takes over or is refused, and exactly one writes", async () => {
    const url = await server().database();
    const original = keeper("/home/ana/oj");
    const copy = keeper("/home/ana/copy");
    const a = logAt(url, { keeper: original });
    await a.open();
    await writeLog(a, [asked(1)]);
    await copy.save(original.kept() ?? assert.fail("there is no identity")); // cp -a
    const b = logAt(url, { keeper: copy });
    await b.open();
    await writeLog(b, [asked(2)]);
    await assert.rejects(
      a.turn(1, (news) => [asked((news.at(-1)?.seq ?? 1) + 1)]),
      { code: "store.fenced", message: /the state folder \/home\/ana\/oj was copied/ },
    );
    await a.close();
    const again = logAt(url, { keeper: original });
    await assert.rejects(again.open(), { code: "store.fenced", message: /\/home\/ana\/oj/ });
    await again.close();
    await writeLog(b, [asked(3)]);
    await b.close();
  });

  it("survives a start that ended before it knew whether its claim was taken", async () => {
    const url = await server().database();
    const self = keeper();
    const save = self.save;
    self.save = async (it) => {
      if (it.claim === null) throw new Error("the power was cut");
      await save(it);
    };
    const first = logAt(url, { keeper: self });
    await assert.rejects(first.open(), /the power was cut/);
    await first.close();
    self.save = save;
    const next = logAt(url, { keeper: self });
    await next.open();
    await writeLog(next, [asked(1)]);
    await next.close();
  });
});
