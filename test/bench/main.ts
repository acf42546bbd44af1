/** `npm run bench [-- --json] [-- --only latency,waiters,appends,cli,boot,inbox,web,postgres,scale,claude,clients,timers,policy,nodes]`: the rows of the speed table, each against its floor in the same run. Misses a target without failing. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { killAll } from "../torture/daemon.ts";
import { measureAppends } from "./appends.ts";
import { serveBareStore } from "./bare.ts";
import { measureBoot, measureCli, measureOnce } from "./boot.ts";
import { measureInbox } from "./inbox.ts";
import { measureLatency } from "./latency.ts";
import { measurePolicy } from "./policy.ts";
import { measurePostgres, turnOnce } from "./postgres.ts";
import type { Row } from "./rows.ts";
import { printTable } from "./rows.ts";
import { measureScale } from "./scale.ts";
import { measureSqlite } from "./sqlite.ts";
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

const began = performance.now();
const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "oj-bench-")));
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    cleanUp();
    process.exit(130);
  });
}

/** Only when it is named: it installs other versions of Node. */
const NAMED = ["nodes"];
const parts: Record<string, () => Promise<Row[]>> = {
  latency: () => measureLatency(path.join(dir, "latency")),
  waiters: () => measureWaiters(path.join(dir, "waiters")),
  appends: () => measureAppends(path.join(dir, "appends")),
  cli: () => measureCli(path.join(dir, "cli")),
  boot: () => measureBoot(path.join(dir, "boot")),
  inbox: () => measureInbox(path.join(dir, "inbox")),
  web: () => measureWeb(path.join(dir, "web")),
  timers: () => measureTimers(dir),
  policy: () => measurePolicy(path.join(dir, "policy")),
  postgres: () => measurePostgres(path.join(dir, "postgres")),
  scale: () => measureScale(),
  // loaded when they are wanted: their modules install the clients
  claude: async () => (await import("./claude.ts")).measureClaude(path.join(dir, "claude")),
  nodes: async () => (await import("./nodes.ts")).measureNodes(path.join(dir, "nodes")),
  clients: async () => (await import("./clients.ts")).measureClients(path.join(dir, "clients")),
};

try {
  const rows: Row[] = [];
  for (const [name, measure] of Object.entries(parts)) {
    if (values.only === undefined ? NAMED.includes(name) : !values.only.split(",").includes(name)) continue;
    rows.push(...(await measure()));
    process.stderr.write(`bench: ${name} (${((performance.now() - began) / 1000).toFixed(0)} s)\n`);
  }
  report(rows);
} finally {
  cleanUp();
}

function cleanUp(): void {
  killAll();
  fs.rmSync(dir, { recursive: true, force: true });
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
