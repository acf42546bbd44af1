/**
 * `npm run soak [-- --rate 50 --minutes 20 --context 1500 --keep 20000]`: a real daemon that keeps as much as it may, under a steady load,
 * and what it costs over time: memory, descriptors, disk, and how long calls take. Fails if something grows, or if a minute was slow.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startBare } from "../bench/http.ts";
import { killAll, makePlace, root, startLife } from "../torture/daemon.ts";
import { fillRoom, startLoad } from "./load.ts";
import { headOf, lineOf, sampleOf } from "./sample.ts";
import { verdictsOn } from "./verdict.ts";

const { values } = parseArgs({
  options: {
    rate: { type: "string", default: "50" },
    minutes: { type: "string", default: "20" },
    context: { type: "string", default: "1500" },
    keep: { type: "string", default: "20000" },
    every: { type: "string", default: "60" },
  },
});
const [rate, minutes, context, keep, every] = (["rate", "minutes", "context", "keep", "every"] as const).map(
  (it) => Number(values[it]),
) as [number, number, number, number, number];

const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "oj-soak-")));
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    killAll();
    fs.rmSync(dir, { recursive: true, force: true });
    process.exit(130);
  });

/** Compaction is reached within minutes too: otherwise the log would only grow. */
const EVENTS = 100_000;
const SETTINGS = `[limits]\nrequests_per_minute = 1000000000\n[history]\nmax_decisions = ${keep}\n[store]\nkeep_events = ${EVENTS}\n`;
const IDLE_MS = 30_000;

try {
  const place = makePlace(dir, SETTINGS);
  const probe = path.join(dir, "probe.jsonl");
  const script = path.join(root, "test/soak/probe.cjs");
  Object.assign(place.env, { OJ_SOAK_PROBE: probe, NODE_OPTIONS: `--require ${JSON.stringify(script)}` });
  const life = startLife(place);
  await life.ready;
  const where = { pid: life.pid, stateDir: place.stateDir, probe };
  console.log(
    `Node ${process.version}, ${os.cpus().length} cores; ${rate} decisions a second for ${minutes} min, contexts of ${context} characters, ${keep} settled ones and ${EVENTS} events kept\n`,
  );
  console.log(headOf());
  await sleep(2000);
  const samples = [await sampleOf(where, { at: "start", taken: [], floor: [], decisions: 0 })];
  console.log(lineOf(samples[0]));
  await fillRoom({ socket: place.socket, count: keep, context });
  samples.push(await sampleOf(where, { at: "full", taken: [], floor: [], decisions: keep }));
  console.log(lineOf(samples[1]));
  const bare = await startBare(dir, "{}");
  const load = startLoad({ socket: place.socket, bare: bare.socket, rate, context });
  for (let left = minutes * 60; left > 0; left -= every) {
    await sleep(Math.min(every, left) * 1000);
    const at = `${((minutes * 60 - left + Math.min(every, left)) / 60).toFixed(1)} min`;
    const sample = await sampleOf(where, { at, ...load.taken(), decisions: keep + load.decisions() });
    samples.push(sample);
    console.log(lineOf(sample));
  }
  await load.stop();
  await bare.stop();
  await sleep(IDLE_MS);
  const idle = await sampleOf(where, {
    at: "idle",
    taken: [],
    floor: [],
    decisions: keep + load.decisions(),
  });
  console.log(lineOf(idle));
  const verdicts = verdictsOn({ samples, idle, errors: load.errors(), perMinute: every / 60 });
  console.log(
    `\n${verdicts.map(({ ok, text }) => `${ok === null ? "?" : ok ? "✓" : "✗"} ${text}`).join("\n")}`,
  );
  process.exitCode = verdicts.some((it) => it.ok === false) ? 1 : 0;
  await life.kill();
} finally {
  killAll();
  fs.rmSync(dir, { recursive: true, force: true });
}
