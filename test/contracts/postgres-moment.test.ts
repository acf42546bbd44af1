/** What a daemon reads of the log in several questions, while another machine makes snapshots, compacts and erases. */
import assert from "node:assert/strict";
import { describe, it, onTestFinished } from "vitest";
import type { Log } from "../../src/ports.ts";
import type { Relay } from "../fakes/servers/relay.ts";
import { relayTo } from "../fakes/servers/relay.ts";
import { writeLog } from "../fakes/write-log.ts";
import { askedRange } from "./log-support.ts";
import { logAt, noPostgres, sharedServer } from "./postgres-support.ts";

const server = sharedServer();

interface Stage {
  url: string;
  relay: Relay;
  /** Behind the relay; not open yet. */
  far: Log;
  near: Log;
}

/** 20 events and a snapshot of all of them. */
async function setup(): Promise<Stage> {
  const url = await server().database();
  const relay = await relayTo(server().port);
  const far = logAt(url.replace(`:${server().port}/`, `:${relay.port}/`));
  const near = logAt(url);
  onTestFinished(async () => {
    await far.close();
    await near.close();
    await relay.close();
  });
  await near.open();
  await writeLog(near, askedRange(1, 20));
  await near.snapshot(20);
  return { url, relay, far, near };
}

/** Two more snapshots, so that the first one is gone, and everything before the newest as well. */
async function movesOn(near: Log): Promise<void> {
  for (const last of [30, 40]) {
    await writeLog(near, askedRange(last - 9, last));
    await near.snapshot(last);
  }
  assert.equal(await near.compact(40), 40);
}

describe.skipIf(noPostgres !== null)("while another machine makes snapshots and compacts", () => {
  for (const [when, text] of [
    ["before the snapshots are listed", "SELECT seq FROM snapshots"],
    ["before the newest one is read", "SELECT format, version, sha, body FROM snapshots"],
  ] as const)
    it(`a start ${when} sees one moment of the log`, async () => {
      const { relay, far, near } = await setup();
      relay.before(text, () => movesOn(near));
      const { snapshot, tip, first, skipped } = await far.open();
      assert.deepEqual([snapshot?.seq, tip, first, skipped], [20, 20, 1, []]);
      const again = await far.open();
      assert.deepEqual([again.snapshot?.seq, again.tip, again.first], [40, 40, 41]);
    });

  it("a check of the whole log finds nothing missing", async () => {
    const { relay, far, near } = await setup();
    await far.open();
    relay.before("SELECT seq, stream, body, chain FROM events WHERE seq > $1 AND seq <= $2", () =>
      movesOn(near),
    );
    assert.equal(await far.verify(), null);
    assert.equal(await far.verify(), null);
  });

  it("a snapshot is made of what was there", async () => {
    const { relay, far, near } = await setup();
    await far.open();
    await writeLog(near, askedRange(21, 25));
    relay.before("FROM events WHERE seq >= $1", async () => {
      await writeLog(near, askedRange(26, 30));
      await near.snapshot(30);
      assert.equal(await near.compact(30), 30);
    });
    await far.snapshot(25);
  });
});

describe.skipIf(noPostgres !== null)("a log without the snapshot that it begins behind", () => {
  it("is refused: nothing else knows what was compacted", async () => {
    const { url, far, near } = await setup();
    await movesOn(near);
    server().sql(url, "UPDATE snapshots SET format = 999");
    await assert.rejects(far.open(), {
      code: "store.damaged",
      message:
        /damaged at event 40: it was compacted, and no snapshot has it\. The snapshot of event 40 .* format 999/,
    });
  });
});
