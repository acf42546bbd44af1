/**
 * `npm run bench [-- --json] [-- --only latency,waiters,…]`: the rows of the speed table, each against its floor in the
 * same run. Misses a target without failing. A name that no part has says which there are.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { endLeftovers } from "../leftovers.ts";
import { killAll } from "../torture/daemon.ts";
import { measureAppends } from "./appends.ts";
import { serveBareStore } from "./bare.ts";
import { measureBoot, measureCli, measureOnce } from "./boot.ts";
import { measureInbox } from "./inbox.ts";
import { measureLatency } from "./latency.ts";
import { partsFor } from "./parts.ts";
import { measurePolicy } from "./policy.ts";
import { measurePostgres, turnOnce } from "./postgres.ts";
import type { Row } from "./rows.ts";
import { printTable } from "./rows.ts";
import { measureScale } from "./scale.ts";
import { measureSqlite } from "./sqlite.ts";
import { measureStarts } from "./starts.ts";
import { measureTimers } from "./timers.ts";
import { measureWaiters } from "./waiters.ts";
import { measureWeb } from "./web.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean" }, only: { type: "string" }, child: { type: "string" } },
});
const [place = "", callers] = positionals;
if (values.child === "bare") await serveBareStore(place);
else if (values.child === "sqlite") await measureSqlite(place);
else if (values.child === "turns") await turnOnce(place, Number(callers));
else if (values.child !== undefined) await measureOnce(values.child, place);

const parts: Record<string, () => Promise<Row[]>> = {
  latency: () => measureLatency(path.join(dir, "latency")),
  waiters: () => measureWaiters(path.join(dir, "waiters")),
  appends: () => measureAppends(path.join(dir, "appends")),
  cli: () => measureCli(path.join(dir, "cli")),
  starts: () => measureStarts(path.join(dir, "starts")),
  boot: () => measureBoot(path.join(dir, "boot")),
  inbox: () => measureInbox(path.join(dir, "inbox")),
  web: () => measureWeb(path.join(dir, "web")),
  timers: () => measureTimers(dir),
  policy: () => measurePolicy(path.join(dir, "policy")),
  postgres: () => measurePostgres(path.join(dir, "postgres")),
  scale: () => measureScale(),
  // loaded when they are wanted: their modules install programs of others
  claude: async () => (await import("./claude.ts")).measureClaude(path.join(dir, "claude")),
  peers: async () => (await import("./peers/peers.ts")).measurePeers(path.join(dir, "peers")),
  nodes: async () => (await import("./nodes.ts")).measureNodes(path.join(dir, "nodes")),
  clients: async () => (await import("./clients.ts")).measureClients(path.join(dir, "clients")),
};

const chosen = partsFor(values.only, Object.keys(parts));
if (typeof chosen === "string") {
  process.stderr.write(`${chosen}\n`);
  process.exit(2);
}

const began = performance.now();
const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "oj-bench-")));
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    cleanUp();
    process.exit(130);
  });
}

try {
  const rows: Row[] = [];
  for (const name of chosen) {
    rows.push(...((await parts[name]?.()) ?? []));
    process.stderr.write(`bench: ${name} (${((performance.now() - began) / 1000).toFixed(0)} s)\n`);
  }
  report(rows);
} finally {
  cleanUp();
}

/** Ends every process that has something to do with our folder, and removes it. */
function cleanUp(): void {
  killAll();
  void endLeftovers(dir, 0); // without patience, it has ended them when it returns
  fs.rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

function report(rows: Row[]): void {
  const cpus = os.cpus();
  const machine = `Node ${process.version}, ${cpus.length} × ${cpus[0]?.model.trim()}, load ${os.loadavg()[0]?.toFixed(1)}`;
  if (values.json) {
    console.log(JSON.stringify({ machine, rows }, null, 2));
    return;
  }
  const met = rows.filter((it) => it.ok === true).length;
  const missed = rows.filter((it) => it.ok === false);
  console.log(`\n${machine}\n`);
  printTable(rows);
  console.log(
    `\n${met} targets reached, ${missed.length} missed${missed.map((it) => `\n  ✗ ${it.name}`).join("")}`,
  );
}
