/**
 * The same work on `oj` and on what people would use instead, in turn and in one run. Whoever can't be had is a row that
 * says why; whoever has no such thing has no row.
 */
import fs from "node:fs";
import path from "node:path";
import { root } from "../../torture/daemon.ts";
import type { Row } from "../rows.ts";
import { row } from "../rows.ts";
import { bd } from "./bd.ts";
import type { Amounts, Contestant } from "./contestant.ts";
import type { Found } from "./found.ts";
import { findOriginal } from "./found.ts";
import { findBd, findPm2, findTsp } from "./install.ts";
import { measureAll } from "./measure.ts";
import { oddjobs, original } from "./oddjobs.ts";
import { pm2 } from "./pm2.ts";
import { tsp } from "./tsp.ts";

const AMOUNTS: Amounts = { pending: 20, finished: 215, jobs: 200, callers: 8 };

export async function measurePeers(dir: string): Promise<Row[]> {
  if (!fs.existsSync("/proc/self/environ"))
    return [skipped("all of them", "what they leave running is only found where there is /proc")];
  const cache = path.join(dir, "cache");
  const found: [string, Found, (name: string, file: string) => Contestant][] = [
    ["bd", findBd(), (name, file) => bd(name, file, AMOUNTS)],
    ["pm2", findPm2(), (name, file) => pm2(name, file, AMOUNTS)],
    ["tsp", findTsp(), (name, file) => tsp(name, file, AMOUNTS)],
    [
      "the original oj",
      findOriginal(process.env.OJ_PEER),
      (name, file) => original({ name, file, cache }, AMOUNTS),
    ],
  ];
  const { version } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")) as {
    version: string;
  };
  const own = { name: `oj ${version}`, file: path.join(root, "dist/oj.cjs"), cache };
  const peers = found.flatMap(([name, it, make]) =>
    "file" in it ? [make(`${name} ${it.version}`, it.file)] : [],
  );
  const without = found.flatMap(([name, it]) => ("reason" in it ? [skipped(name, it.reason)] : []));
  if (peers.length === 0) return without;
  const measured = await measureAll(path.join(dir, "works"), await oddjobs(own, AMOUNTS), peers, AMOUNTS);
  return [...measured, ...without];
}

function skipped(name: string, reason: string): Row {
  return row("beside others: skipped", `${name}: skipped: ${reason}`, { values: {} });
}
