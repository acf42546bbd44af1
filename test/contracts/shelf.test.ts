import assert from "node:assert/strict";
import fs from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, it, onTestFinished } from "vitest";
import { fileShelf } from "../../src/adapters/files/shelf.ts";
import type { Shelf, Spot } from "../../src/core/model/shelf.ts";
import { apply, emptyState } from "../../src/core/model/state/state.ts";
import { encodeState } from "../../src/core/model/state/state-text.ts";
import { createdFact, eventOf } from "../bench/data.ts";
import { fakeShelf } from "../fakes/fake-shelf.ts";
import { put, shelfContract } from "./shelf.contract.ts";
import { tempFolder } from "./temp.ts";

const failed = (error: Error) => {
  throw error;
};

async function onDisk(fileBytes?: number): Promise<{ shelf: Shelf; dir: string }> {
  const dir = await tempFolder();
  const shelf = fileShelf({ dir, failed, ...(fileBytes ? { fileBytes } : {}) });
  onTestFinished(() => shelf.close());
  return { shelf, dir };
}

shelfContract("on disk", async () => (await onDisk(100)).shelf);
shelfContract("in memory", async () => fakeShelf());

describe("a shelf on disk", () => {
  it("leaves nothing in its folder, even while it is in use", async () => {
    const { shelf, dir } = await onDisk();
    put(shelf, "secret");
    assert.deepEqual(fs.readdirSync(dir), []);
  });

  it("gives up a file once nothing in it is wanted any more", async () => {
    const { shelf } = await onDisk(100);
    const files = () => fs.readdirSync("/proc/self/fd").length;
    const before = files();
    const spots = Array.from({ length: 100 }, (_, n) => put(shelf, `text ${n}`.padEnd(50)));
    assert.equal(files(), before + 50);
    for (const spot of spots.slice(0, 99)) shelf.drop(spot);
    assert.equal(files(), before + 1);
    assert.equal(shelf.get(spots[99] as Spot).trim(), "text 99");
    shelf.close();
    assert.equal(files(), before);
  });

  it("keeps no file for a few texts that stay long", async () => {
    const { shelf, dir } = await onDisk(1000);
    const files = () => fs.readdirSync("/proc/self/fd").length;
    const before = files();
    const kept: [Spot, string][] = [];
    let last: Spot[] = [];
    const pass = (n: number) => {
      for (const spot of last) shelf.drop(spot);
      last = Array.from({ length: 39 }, (_, m) => put(shelf, `passes ${n} ${m}`.padEnd(25)));
      const text = `stays ${n}`.padEnd(25);
      kept.push([put(shelf, text), text]);
    };
    for (let n = 0; n < 80; n++) pass(n); // as many files, with a text of 25 bytes in each that stays
    const most = (4 * kept.length * 25) / 1000 + 3;
    assert.ok(files() <= before + most, `${files() - before} files for ${kept.length} texts`);
    fs.rmSync(dir, { recursive: true }); // nothing can be moved any more
    for (const spot of [...last, ...kept.splice(0, 40).map(([spot]) => spot)]) shelf.drop(spot);
    for (const [spot, text] of kept) assert.equal(shelf.get(spot), text);
  });

  it("accepts nothing if no file can be created, and says so", async () => {
    const { shelf, dir } = await onDisk(10);
    const spot = put(shelf, "0123456789");
    fs.rmSync(dir, { recursive: true });
    assert.equal(shelf.put("more"), null);
    assert.equal(shelf.get(spot), "0123456789");
  });

  it("keeps 20,000 settled decisions in less than 20 MB of memory", async () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const state = emptyState();
    const { shelf } = await onDisk();
    state.decisions.use(shelf);
    const used = () => {
      collect();
      collect(); // from Node 24 on, one leaves what it was about to move
      const { heapUsed, external } = process.memoryUsage();
      return (heapUsed + external) / 1e6;
    };
    const before = used();
    for (let n = 0; n < 20_000; n++) {
      const id = `dec-${String(n).padStart(10, "0")}` as const;
      const created = { ...createdFact(n), id, context: `${n} ${"a line of the context\n".repeat(200)}` };
      const event = eventOf(created as never, 2 * n + 1);
      apply(state, JSON.parse(JSON.stringify(event))); // texts of its own, as what comes from outside has
      const given = { chosen: 1, choices: [[1]], labels: ["Merge"], text: null, message: `as in ${n}` };
      const resolved = { ...given, by: "ana", via: "cli", resolved_at_ms: n, state: "resolved" };
      apply(state, eventOf({ type: "decision:resolved", id, project: "p", ...resolved } as never, 2 * n + 2));
      while (state.decisions.shelve({ keep: 256, most: 100 }));
    }
    const cost = used() - before;
    assert.ok(cost < 20, `they cost ${cost.toFixed(1)} MB`);
    assert.equal(encodeState(state).split("\n").length, 20_001);
  });
});
