/** The same build under each supported version of Node, in turn: what a newer one would save, and its own SQLite. */
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { nodeOf } from "../../scripts/node-versions.mjs";
import type { Place } from "../torture/daemon.ts";
import { makePlace, root, startLife } from "../torture/daemon.ts";
import { rate } from "./appends.ts";
import { rssOf } from "./boot.ts";
import { callerOn, timed } from "./http.ts";
import { askOn, SETTINGS } from "./latency.ts";
import type { Row } from "./rows.ts";
import { median, megabytes, ms, perSecond, row, times } from "./rows.ts";
import type { Figures, Kind } from "./sqlite.ts";

const VERSIONS = ["20", "22", "24", "26"];
const ROUNDS = 3;
const WARM = 3000;

interface Taken {
  node: string;
  name: string;
  empty: number[];
  list: number[];
  start: number[];
  memory: number[];
  one: number[];
  all: number[];
}

export async function measureNodes(dir: string): Promise<Row[]> {
  fs.mkdirSync(dir);
  const known = VERSIONS.flatMap((version) => knownAs(version));
  for (let round = 0; round < ROUNDS; round++)
    for (const it of known) await measure(it, makePlace(path.join(dir, `${it.name}-${round}`), SETTINGS));
  return [...rowsOf(known), ...known.flatMap((it) => sqliteRows(it, path.join(dir, `sqlite-${it.name}`)))];
}

function knownAs(version: string): Taken[] {
  try {
    const node = nodeOf(root, version);
    const name = spawnSync(node, ["--version"], { encoding: "utf8", env: {} }).stdout.trim();
    return [{ node, name, empty: [], list: [], start: [], memory: [], one: [], all: [] }];
  } catch (error) {
    process.stderr.write(`bench: skipped: ${(error as Error).message}\n`);
    return [];
  }
}

async function measure(it: Taken, place: Place): Promise<void> {
  const exit = (args: string[]) =>
    timed(
      () =>
        new Promise((done) => spawn(it.node, args, { env: place.env, stdio: "ignore" }).once("exit", done)),
    );
  it.empty.push(await exit(["-e", "0"]));
  const first = startLife(place, it.node); // leaves compiled code behind, as each start does for the next
  await first.ready;
  await first.kill();
  const from = performance.now();
  const life = startLife(place, it.node);
  await life.ready;
  const [one, all] = [callerOn(place.socket), callerOn(place.socket, 64)];
  await one.call("GET", "/health");
  it.start.push(performance.now() - from);
  it.memory.push(rssOf(life));
  const list = [path.join(root, "dist/oj.cjs"), "decision", "list"];
  await exit(list);
  it.list.push(await exit(list));
  await rate(WARM, askOn(all), 64);
  it.all.push(await rate(2000, askOn(all), 64));
  it.one.push(await rate(300, askOn(one)));
  one.close();
  all.close();
  await life.kill();
}

function rowsOf(known: Taken[]): Row[] {
  const [oldest] = known;
  const what = ["empty", "list", "start", "memory", "one", "all"] as const;
  const words = {
    empty: ["node -e 0", ms],
    list: ["oj decision list", ms],
    start: ["start of an empty daemon to its first answer", ms],
    memory: ["memory of a daemon that has just started", megabytes],
    one: ["one client", perSecond],
    all: ["64 clients", perSecond],
  } as const;
  return what.flatMap((key) =>
    known.map((it) => {
      const [value, base] = [median(it[key]), median(oldest?.[key] ?? [])];
      const [name, shown] = words[key];
      return row("the same build under each Node, in turn", `${name}, ${it.name}`, {
        measured: shown(value),
        floor: `${shown(base)} ${oldest?.name}`,
        ratio: times(value / base),
        values: { value, base },
      });
    }),
  );
}

function sqliteRows({ node, name }: Taken, dir: string): Row[] {
  const group = "the SQLite inside Node beside the package, in one process";
  const { stdout } = spawnSync(node, [process.argv[1] ?? "", "--child", "sqlite", dir], {
    encoding: "utf8",
    env: {},
    stdio: ["ignore", "pipe", "ignore"], // Node 22 warns that it is experimental
  });
  if (!stdout) return [row(group, `${name} has none`, { values: {} })];
  const figures = JSON.parse(stdout) as Record<Kind, Figures>;
  const [own, other] = [figures["built-in"], figures.package];
  const rowOf = (key: keyof Figures, words: string, shown: (value: number) => string) =>
    row(group, `${words}, ${name}`, {
      measured: shown(own[key]),
      floor: `${shown(other[key])} package`,
      ratio: times(own[key] / other[key]),
      values: { own: own[key], package: other[key] },
    });
  return [
    rowOf("commitsPerSecond", "commits", perSecond),
    rowOf("readMs", "100,000 rows read", ms),
    rowOf("loadMs", "loading it", ms),
    rowOf("loadBytes", "memory of having loaded it", megabytes),
  ];
}
