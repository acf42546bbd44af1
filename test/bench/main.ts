/** `npm run bench [-- --json]`: the rows of the speed table, each against its floor in the same run. Misses a target without failing. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { killAll } from "../torture/daemon.ts";
import { measureAppends } from "./appends.ts";
import { loadOnce, measureBoot, measureCli } from "./boot.ts";
import { measureLatency } from "./latency.ts";
import type { Row } from "./rows.ts";
import { printTable } from "./rows.ts";

const { values } = parseArgs({ options: { json: { type: "boolean" }, load: { type: "string" } } });
if (values.load !== undefined) await loadOnce(values.load);

const began = performance.now();
const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "oj-bench-")));
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    killAll();
    process.exit(130);
  });
}

try {
  const appends = await measureAppends(dir);
  say("appends");
  const latency = await measureLatency(path.join(dir, "latency"), appends.rawMs);
  say("latency");
  const cli = await measureCli(path.join(dir, "cli"));
  say("command line");
  const boot = await measureBoot(path.join(dir, "boot"));
  say("boot, memory, growth");
  report([...latency, ...appends.rows, ...cli, ...boot]);
} finally {
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

function say(what: string): void {
  process.stderr.write(`bench: ${what} (${((performance.now() - began) / 1000).toFixed(0)} s)\n`);
}
