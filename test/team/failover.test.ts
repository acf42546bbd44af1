/** A primary that dies, and its standby that takes over: behind one address, as a hosted PostgreSQL does it. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { describe, it, onTestFinished } from "vitest";
import { until } from "../contracts/temp.ts";
import type { Postgres } from "../fakes/servers/postgres.ts";
import { postgres } from "../fakes/servers/postgres.ts";
import type { Relay } from "../fakes/servers/relay.ts";
import { relayTo } from "../fakes/servers/relay.ts";
import type { Project } from "../specs/support/project.ts";
import type { Refusal } from "../specs/support/views.ts";
import {
  ask,
  asked,
  askedSoon,
  assertOnce,
  machine,
  promptsIn,
  rounds,
  startAsker,
  whyNot,
} from "./support.ts";

interface Pair {
  primary: Postgres;
  standby: Postgres;
  relay: Relay;
  daemon: Project;
  /** The database at either server. */
  at(server: Postgres): string;
}

async function setup(): Promise<Pair> {
  const primary = await postgres();
  onTestFinished(() => primary.close());
  const url = await primary.database();
  const standby = await postgres({ standbyOf: primary.port });
  onTestFinished(() => standby.close());
  const relay = await relayTo(primary.port);
  onTestFinished(() => relay.close());
  const at = (server: { port: number }) => url.replace(`:${primary.port}/`, `:${server.port}/`);
  const following = "SELECT count(*) FROM pg_stat_replication WHERE state = 'streaming'";
  await until(() => primary.sql(admin(primary), following) === "1"); // a daemon looks when it starts
  return { primary, standby, relay, at, daemon: await machine(at(relay), "anvil") };
}

const admin = (server: Postgres) => `postgres://oj@127.0.0.1:${server.port}/postgres`;

/** Asks the server until the answer is what it should be. */
async function says(server: Postgres, text: string, what: string, by: Project): Promise<void> {
  await by.until(async () => server.sql(admin(server), text) === what, `${text} = ${what}`);
}

const replicates = ({ primary, daemon }: Pair, how: string) =>
  says(primary, "SELECT string_agg(sync_state, ',') FROM pg_stat_replication", how, daemon);

async function promote({ standby, daemon, relay }: Pair): Promise<void> {
  standby.sql(admin(standby), "SELECT pg_promote()");
  await says(standby, "SELECT pg_is_in_recovery()", "f", daemon);
  relay.pointTo(standby.port);
}

async function warns(project: Project): Promise<boolean> {
  const text = fs.readFileSync(path.join(project.stateDir, "daemon.log"), "utf8");
  return text.includes("replicates asynchronously");
}

async function refusal(project: Project, prompt: string): Promise<Refusal["error"]> {
  const reply = await ask(project, prompt);
  assert.ok(reply.status >= 400, `${prompt} was accepted`);
  return reply.json<Refusal>().error;
}

describe.skipIf(whyNot !== null)("a failover", () => {
  it("that lost commits is noticed: nothing is written, not even after a restart, until a person says so", async () => {
    const pair = await setup();
    const { primary, standby, daemon, at } = pair;
    await replicates(pair, "async");
    assert.ok(await warns(daemon), "nobody is told that commits may be lost");
    await asked(daemon, "kept?");
    const replayed = "SELECT pg_last_wal_replay_lsn() >= ";
    const written = primary.sql(admin(primary), "SELECT pg_current_wal_lsn()");
    await says(standby, `${replayed}'${written}'`, "t", daemon);
    standby.sql(admin(standby), "ALTER SYSTEM SET primary_conninfo = ''");
    standby.sql(admin(standby), "SELECT pg_reload_conf()");
    await says(standby, "SELECT count(*) FROM pg_stat_wal_receiver", "0", daemon);
    await asked(daemon, "lost?");
    await primary.kill();
    await promote(pair);
    const before = promptsIn(standby, at(standby));
    assert.deepEqual(before, ["kept?"]);
    assert.equal((await refusal(daemon, "more?")).code, "store.rewound");
    assert.equal((await refusal(daemon, "and more?")).code, "store.rewound");
    assert.equal((await daemon.run("daemon", "stop")).code, 0);
    const again = await daemon.run("daemon", "start");
    assert.notEqual(again.code, 0);
    assert.match(again.stderr, /no longer what it was/);
    assert.deepEqual(promptsIn(standby, at(standby)), before);
    const repaired = await daemon.run("daemon", "start", "--repair");
    assert.equal(repaired.code, 0, repaired.stderr);
    await asked(daemon, "on with it?");
    assert.deepEqual(promptsIn(standby, at(standby)), ["kept?", "on with it?"]);
  });

  it("of a synchronous standby loses nothing, and a demoted primary is not written to", async () => {
    for (let round = 0; round < rounds(1, 5); round++) {
      const pair = await setup();
      const { primary, standby, daemon, relay, at } = pair;
      primary.sql(admin(primary), "ALTER SYSTEM SET synchronous_standby_names = '*'");
      primary.sql(admin(primary), "SELECT pg_reload_conf()");
      await replicates(pair, "sync");
      const asker = startAsker(daemon, "asker");
      await daemon.until(() => asker.acknowledged.length > 5 + round, "questions");
      await primary.kill();
      await promote(pair);
      const after = await askedSoon(daemon, "after");
      const count = asker.acknowledged.length;
      await daemon.until(() => asker.acknowledged.length > count, "questions after the failover");
      await asker.stop();
      const all = [...asker.acknowledged, after];
      assertOnce(promptsIn(standby, at(standby)), all);

      primary.follow(standby.port);
      await primary.start();
      relay.pointTo(primary.port); // as a name that still leads there
      const { code, message } = await refusal(daemon, "demoted?");
      assert.equal(code, "store.unreachable", message);
      relay.pointTo(standby.port);
      all.push(await askedSoon(daemon, "back"));
      const prompts = promptsIn(standby, at(standby));
      assertOnce(prompts, all);
      assert.ok(!prompts.includes("demoted?"));
    }
  });
});
