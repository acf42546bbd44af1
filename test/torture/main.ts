/** `npm run torture -- --rounds N [--seed S] [--parallel P]`: kills the daemon at the worst moments and checks that nothing is lost. */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import type { Tally } from "./chain.ts";
import { runChain } from "./chain.ts";
import { killAll } from "./daemon.ts";

/** Rounds in one state folder. Each checks the whole history, so that a longer chain costs more than it finds. */
const CHAIN = 25;

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "100" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    parallel: { type: "string", default: "2" },
  },
});
const rounds = Number(values.rounds);
const seed = Number(values.seed);
const parallel = Number(values.parallel);

const tally: Tally = {
  rounds: 0,
  kills: new Map(),
  boots: 0,
  bootMs: 0,
  events: 0,
  snapshots: 0,
  calls: 0,
  acknowledged: 0,
  conflicts: 0,
  unknown: 0,
  steps: { completed: 0, interrupted: 0, takenUp: 0, cancelled: 0 },
  ledger: {},
};
const began = performance.now();
const chains = Array.from({ length: Math.ceil(rounds / CHAIN) }, (_, index) => ({
  seed: seed + index,
  rounds: Math.min(CHAIN, rounds - index * CHAIN),
}));
let failed = false;
/** The folders of chains that are on. */
const folders = new Set<string>();

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    killAll();
    for (const dir of folders) fs.rmSync(dir, { recursive: true, force: true });
    report("interrupted");
    process.exit(130);
  });
}

console.log(`torture: ${rounds} rounds, seed ${seed}, ${parallel} at once`);
await Promise.all(Array.from({ length: parallel }, work));
report(failed ? "✗ failed" : "✓ nothing lost, nothing doubled");
process.exit(failed ? 1 : 0);

async function work(): Promise<void> {
  for (let chain = chains.shift(); chain && !failed; chain = chains.shift()) {
    const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "oj-torture-")));
    folders.add(dir);
    try {
      await runChain({ ...chain, dir, tally, onRound: progress });
      fs.rmSync(dir, { recursive: true, force: true });
      folders.delete(dir);
    } catch (error) {
      failed = true;
      folders.delete(dir); // it is the evidence
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      fs.writeFileSync(path.join(dir, "failure.txt"), `chain seed ${chain.seed}\n${text}\n`);
      console.error(`\n✗ ${text}\n`);
      console.error(`  evidence  ${dir}`);
      console.error(
        `  again     npm run torture -- --rounds ${chain.rounds} --seed ${chain.seed} --parallel 1\n`,
      );
    }
  }
}

function progress(): void {
  const every = Math.max(25, Math.ceil(rounds / 40 / 25) * 25);
  if (tally.rounds % every !== 0) return;
  const seconds = (performance.now() - began) / 1000;
  const each = ((seconds * 1000) / tally.rounds).toFixed(0);
  console.log(
    `  ${String(tally.rounds).padStart(6)} of ${rounds}   ${seconds.toFixed(0)} s   ${each} ms a round`,
  );
}

function report(verdict: string): void {
  const { kills, steps, ledger } = tally;
  const seconds = (performance.now() - began) / 1000;
  const rows: [string, string | number][] = [
    ...[...kills]
      .sort((a, b) => b[1] - a[1])
      .map(([point, count]): [string, number] => [`killed ${point}`, count]),
    ["daemons started", tally.boots],
    ["  until ready, mean", `${(tally.bootMs / Math.max(1, tally.boots)).toFixed(0)} ms`],
    ["calls", tally.calls],
    ["  acknowledged", tally.acknowledged],
    ["  refused as another was first", tally.conflicts],
    ["  cut off by the kill", tally.unknown],
    ["decisions acknowledged", ledger.created ?? 0],
    ["answers with one winner", ledger.won ?? 0],
    ["jobs started", ledger.started ?? 0],
    ["steps completed", steps.completed],
    ["  interrupted by a kill or a stop", steps.interrupted],
    ["  never begun, then taken up", steps.takenUp],
    ["  cancelled", steps.cancelled],
    ["events replayed and compared", tally.events],
    ["snapshots compared with the replay", tally.snapshots],
  ];
  console.log("");
  for (const [name, value] of rows) console.log(`  ${name.padEnd(48)} ${String(value).padStart(9)}`);
  console.log(`\n${verdict}: ${tally.rounds} rounds in ${seconds.toFixed(1)} s, seed ${seed}`);
}
