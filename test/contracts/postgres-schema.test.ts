/** Who may use a database, and what for: roles, versions, tables of others. */
import assert from "node:assert/strict";
import { describe, it, onTestFinished } from "vitest";
import { initStore } from "../../src/adapters/postgres/init.ts";
import { grants, MIGRATIONS } from "../../src/adapters/postgres/schema.ts";
import type { Event } from "../../src/core/model/events.ts";
import type { Log } from "../../src/ports.ts";
import { writeLog } from "../fakes/write-log.ts";
import { asked, askedRange } from "./log-support.ts";
import { keeper, logAt, noPostgres, sharedServer } from "./postgres-support.ts";

const server = sharedServer();

function opening(url: string): Log {
  const log = logAt(url, { keeper: keeper() });
  onTestFinished(() => log.close());
  return log;
}

const removed = (seq: number): Event => ({
  ...{ seq, at_ms: 1, type: "person:removed", id: "ana", project: "", by: "root" },
  ended: { roles: [], tokens: [], passkeys: [], services: [] },
});

describe.skipIf(noPostgres !== null)("the role of a daemon", () => {
  it("writes and reads, makes snapshots and compacts, and can neither change nor delete an event", async () => {
    const url = await server().database();
    const init = (role: string) => initStore({ url, role, rolePassword: "pass'word", version: "1.2.3" });
    for (const _ of ["makes it", "finds it"]) assert.ok(url.endsWith(await init("clerk")));
    await assert.rejects(init("oj"), { code: "usage", message: /owns the tables/ });
    const clerk = url.replace("//oj@", "//clerk@");
    const log = opening(clerk);
    await log.open();
    await writeLog(log, askedRange(1, 20));
    await log.snapshot(10);
    assert.equal(await log.compact(5), 5);
    assert.equal(await log.verify(), null);
    for (const text of [
      "UPDATE events SET body = 'x'",
      "DELETE FROM events",
      "TRUNCATE events",
      "DELETE FROM snapshots",
      "UPDATE meta SET base = 0",
      "DROP TABLE events",
    ])
      assert.throws(() => server().sql(clerk, text), /permission denied|must be owner/, text);
  });

  it("that may not bring the tables up to date says so, and whose job it is", async () => {
    const url = await server().database();
    const olderGrants = grants('"an old one"').replace(
      /GRANT [^;]* (raise_writer|erase|raise_leaving)\([^;]*;/g,
      "",
    );
    server().sql(url, `${MIGRATIONS[0]}; CREATE ROLE "an old one" LOGIN; ${olderGrants}`);
    const old = opening(url.replace("//oj@", "//an%20old%20one@"));
    await assert.rejects(old.open(), { code: "store.read-only", hint: /oj store init ADMIN_URL/ });
    await initStore({ url, role: "an old one", rolePassword: null, version: "1.2.3" });
    await old.open();
    await writeLog(old, askedRange(1, 2));
  });

  it("that may not make the tables says so", async () => {
    const url = await server().database();
    server().sql(url, "CREATE ROLE guest LOGIN");
    await assert.rejects(opening(url.replace("//oj@", "//guest@")).open(), {
      code: "store.failed",
      message: /has no store yet, and its role guest may not make one/,
    });
  });
});

describe.skipIf(noPostgres !== null)("machines that share a database", () => {
  it("see who is there and who has left, and a forgotten one writes no more", async () => {
    const url = await server().database();
    const mine = keeper("/a");
    const [one, two] = [logAt(url, { keeper: mine }), opening(url)];
    const keys = [(await one.open()).machine, (await two.open()).machine];
    assert.notEqual(keys[0], keys[1]);
    const names = async () =>
      (await two.machines("bellows")).map((it) => [it.name, it.away !== null] as const);
    await one.machines("anvil");
    assert.deepEqual(
      new Map(await names()),
      new Map([
        ["anvil", false],
        ["bellows", false],
      ]),
    );
    server().sql(url, "UPDATE daemons SET last_seen = now() - interval '16 s' WHERE name = 'anvil'");
    assert.deepEqual(new Map(await names()).get("anvil"), true, "it has said nothing for too long");
    await one.machines("anvil");
    assert.deepEqual(new Map(await names()).get("anvil"), false);
    await one.close();
    assert.deepEqual(new Map(await names()).get("anvil"), true, "it said that it leaves");
    const again = logAt(url, { keeper: mine });
    onTestFinished(() => again.close());
    assert.equal((await again.open()).machine, keys[0]);
    await writeLog(again, askedRange(1, 2));
    await two.banish("anvil");
    await assert.rejects(writeLog(again, askedRange(3, 3)), { code: "store.fenced", message: /forgotten/ });
    const back = logAt(url, { keeper: mine });
    onTestFinished(() => back.close());
    await assert.rejects(back.open(), { code: "store.fenced", message: /forgotten/ });
    assert.deepEqual(
      (await names()).map((it) => it[0]),
      ["bellows"],
    );
  });
});

describe.skipIf(noPostgres !== null)("a database", () => {
  it("of something else is left alone", async () => {
    const url = await server().database();
    server().sql(url, "CREATE TABLE customers (id int)");
    await assert.rejects(opening(url).open(), { code: "store.failed", message: /belongs to something else/ });
    assert.equal(server().sql(url, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"), "1");
  });

  it("gets its tables once, however many start at the same time", async () => {
    const url = await server().database();
    const logs = Array.from({ length: 5 }, () => opening(url));
    const opened = await Promise.all(logs.map((log) => log.open()));
    assert.deepEqual(
      opened.map((it) => it.tip),
      [0, 0, 0, 0, 0],
    );
    await writeLog(logs[3] as Log, [asked(1)]);
  });

  it("that a newer oj writes to can still be read by an older one, which says that it can't write", async () => {
    const url = await server().database();
    const log = opening(url);
    await log.open();
    await writeLog(log, [asked(1)]);
    server().sql(url, "UPDATE meta SET schema = 7, min_writer = 7");
    await assert.rejects(writeLog(log, [asked(2)]), { code: "store.newer", message: /may only read/ });
    assert.deepEqual(await log.read(0, 10), [asked(1)]);
    const next = opening(url);
    assert.equal((await next.open()).tip, 1);
  });

  it("of an older oj is brought up to date, and the older one may only read it from then on", async () => {
    const url = await server().database();
    const mine = keeper("/a");
    const id = "00000000-0000-4000-8000-000000000001";
    await mine.save({ id, epoch: 3, claim: null, seen: null });
    server().sql(url, MIGRATIONS[0] ?? "");
    server().sql(url, `INSERT INTO daemons VALUES ('${id}', 'anvil', '/a', 3, gen_random_uuid())`);
    const log = logAt(url, { keeper: mine });
    onTestFinished(() => log.close());
    assert.equal((await log.open()).machine, id);
    assert.deepEqual(await log.machines("anvil"), [{ name: "anvil", away: null }]);
    await writeLog(log, [asked(1)]);
    assert.equal(server().sql(url, "SELECT schema, min_reader, min_writer FROM meta"), "6|1|3");
  });

  it("is written to by an older oj until somebody asks under a rule, and read by it from then on", async () => {
    const url = await server().database();
    await initStore({ url, role: "scribe", rolePassword: null, version: "1.2.3" });
    const log = opening(url.replace("//oj@", "//scribe@"));
    await log.open();
    const needs = () => server().sql(url, "SELECT min_writer FROM meta");
    await writeLog(log, [asked(1)]);
    assert.equal(needs(), "3");
    await writeLog(log, [{ ...asked(2), rule: { min: 2 } } as Event]);
    assert.equal(needs(), "4");
    await writeLog(log, [asked(3)]);
    assert.deepEqual(
      (await log.read(0, 10)).map((it) => it.seq),
      [1, 2, 3],
    );
    // nobody but whoever made the schema can take that back
    for (const text of ["UPDATE meta SET min_writer = 1", "UPDATE meta SET min_writer = 9"])
      assert.throws(() => server().sql(url.replace("//oj@", "//scribe@"), text), /permission denied/);
    server().sql(url, "CREATE ROLE stranger LOGIN");
    assert.throws(
      () => server().sql(url.replace("//oj@", "//stranger@"), "SELECT raise_writer()"),
      /permission denied/,
    );
  });

  it("with somebody who left is neither written nor opened by an older oj, and no role takes that back", async () => {
    const url = await server().database();
    await initStore({ url, role: "scribe", rolePassword: null, version: "1.2.3" });
    const log = opening(url.replace("//oj@", "//scribe@"));
    await log.open();
    await writeLog(log, [removed(1)]);
    assert.equal(server().sql(url, "SELECT min_reader, min_writer, erased FROM meta"), "6|6|0");
    await writeLog(log, [asked(2)]);
    assert.throws(
      () => server().sql(url.replace("//oj@", "//scribe@"), "UPDATE meta SET min_reader = 1"),
      /permission denied/,
    );
  });

  it("that an older oj can't even read is refused at the start", async () => {
    const url = await server().database();
    await opening(url).open();
    server().sql(url, "UPDATE meta SET schema = 7, min_reader = 7, min_writer = 7");
    await assert.rejects(opening(url).open(), { code: "store.newer", message: /schema 7/ });
  });

  it("has a time that never goes back", async () => {
    const url = await server().database();
    const log = opening(url);
    await log.open();
    const ahead = Date.now() + 7_200_000;
    server().sql(url, `UPDATE head SET at_ms = ${ahead}`);
    let at = 0;
    await log.turn(0, (_, at_ms) => {
      at = at_ms ?? 0;
      return [];
    });
    assert.equal(at, ahead);
  });
});

describe.skipIf(noPostgres !== null)("a snapshot", () => {
  it("that was tampered with is not used, and that is said", async () => {
    const url = await server().database();
    const log = opening(url);
    await log.open();
    await writeLog(log, askedRange(1, 20));
    await log.snapshot(10);
    await log.snapshot(15);
    server().sql(url, "UPDATE snapshots SET body = decode('1f8b', 'hex') WHERE seq = 15");
    const { snapshot, skipped } = await opening(url).open();
    assert.equal(snapshot?.seq, 10);
    assert.match(skipped.join(), /The snapshot of event 15 in PostgreSQL was not used/);
  });
});
