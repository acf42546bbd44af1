/** A terminal that prints without end: its output stays within its limit, and nobody else is held up by it. */
import assert from "node:assert/strict";
import fs from "node:fs/promises";
import path from "node:path";
import { describe, it } from "vitest";
import type { AgentId } from "../../src/core/model/ids.ts";
import { until } from "./temp.ts";
import type { TmuxWorld } from "./terminal-world.ts";
import { env, tmuxWorld } from "./terminal-world.ts";
import { read, witness } from "./terminals.contract.ts";

const BOUND = 1_000_000;

const run = (world: TmuxWorld, agent_id: AgentId, script: string) =>
  world.terminals.start({
    agent_id,
    argv: ["bash", "-c", script],
    cwd: world.dir,
    env,
    columns: 80,
    rows: 24,
  });

async function kept(world: TmuxWorld, id: AgentId): Promise<number> {
  const folder = world.outputDir(id);
  const names = (await fs.readdir(folder)).filter((it) => it.startsWith("output"));
  const stats = await Promise.all(names.map((it) => fs.stat(path.join(folder, it)).catch(() => null)));
  return stats.reduce((sum, it) => sum + (it?.size ?? 0), 0);
}

/** `OJ_FLOOD_MB=100` for more. */
const FLOOD_MB = Number(process.env.OJ_FLOOD_MB ?? 30);

describe(`a flood of ${FLOOD_MB} MB`, () => {
  it("stays within its limit on disk and in memory, keeps the newest part, and holds nobody up", async () => {
    const world = await tmuxWorld({ maxBytes: BOUND });
    const { terminals } = world;
    const { printed } = witness(terminals);
    const other = await world.start("agt-2");
    const memory = process.memoryUsage().rss;
    const begun = Date.now();
    await run(
      world,
      "agt-1",
      `yes 0123456789012345678901234567890 | head -c ${FLOOD_MB}000000; echo; echo END; read`,
    );
    const waits: number[] = [];
    let most = 0;
    while ((await read(terminals, "agt-1", 1)) !== "END\n") {
      const before = performance.now();
      await terminals.press("agt-2", ["x"]);
      await terminals.screen("agt-2");
      waits.push(performance.now() - before);
      most = Math.max(most, await kept(world, "agt-1"));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const told = printed.filter((it) => it === "agt-1").length;
    assert.ok(told <= (Date.now() - begun) / 50 + 2, `told ${told} times in ${Date.now() - begun} ms`);
    assert.ok(most > BOUND / 4 && most <= BOUND, `${most} bytes were kept`);
    const middle = waits.sort((a, b) => a - b)[waits.length >> 1] ?? 0;
    assert.ok(middle < 1000, `another terminal answered after ${middle} ms`);
    assert.ok(process.memoryUsage().rss - memory < 100e6);
    const tmux = await fs.readFile(`/proc/${await world.serverPid()}/status`, "utf8");
    assert.ok(Number(/VmHWM:\s+(\d+)/.exec(tmux)?.[1]) < 50_000);
    await until(async () => (await other.seen()).input === "x".repeat(waits.length));
  });
});

describe("the output of a terminal", () => {
  it("is complete and in order, from the first byte to the last, across many files", async () => {
    const world = await tmuxWorld({ maxBytes: 100_000 });
    const stop = new AbortController();
    let seen = "";
    const following = (async () => {
      const how = { lines: null, follow: true, abort: stop.signal };
      for await (const part of world.terminals.output("agt-1", how)) seen += part;
    })();
    await run(
      world,
      "agt-1",
      "stty -echo; for n in {0..49}; do seq $((n * 1000)) $((n * 1000 + 999)); read; done",
    );
    for (let n = 1; n <= 50; n++) {
      await until(() => seen.endsWith(`${n * 1000 - 1}\r\n`)); // a reader that is too slow for the limit misses something
      if (n < 50) await world.terminals.paste("agt-1", "\n");
    }
    stop.abort();
    await following;
    const numbers = seen.split("\r\n").slice(0, -1);
    assert.equal(numbers.length, 50_000);
    assert.ok(numbers.every((it, index) => it === String(index)));
    assert.equal(await read(world.terminals, "agt-1", 2), "49998\n49999\n");
  });

  it("is kept, within its limit, while no daemon runs", async () => {
    const world = await tmuxWorld({ maxBytes: BOUND });
    await run(world, "agt-1", "read; seq 1 1000000; echo END >end; read");
    await world.terminals.paste("agt-1", "\n");
    const terminals = await world.restart(async () => {
      const there = () =>
        fs.stat(path.join(world.dir, "end")).then(
          () => true,
          () => false,
        );
      await until(there);
    });
    await until(async () => (await read(terminals, "agt-1", 1)) === "1000000\n");
    assert.ok((await kept(world, "agt-1")) <= BOUND);
    const numbers = (await read(terminals, "agt-1")).trim().split("\n").slice(1).map(Number);
    assert.ok(numbers.every((it, index) => it === numbers[0]! + index));
  });

  it("is kept from the first byte that a program prints", async () => {
    const world = await tmuxWorld();
    const ids = Array.from({ length: 20 }, (_, index): AgentId => `agt-${index}`);
    for (const id of ids) await run(world, id, `echo I am ${id}; read`);
    for (const id of ids) {
      await until(async () => (await world.terminals.screen(id)) === `I am ${id}`);
      await world.terminals.kill(id);
      assert.equal(await read(world.terminals, id), `I am ${id}\n`);
    }
  });
});
