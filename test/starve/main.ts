/**
 * `npm run starve [-- --demos 200 --tests 0 --stop 3000 --busy 1 --fsync 0 --nofile 0 --at-once 2]`: runs the demo
 * again and again, and then the agents' tests, each in its own folder, while their processes are stopped at random,
 * cores are kept busy, or writes to the disk are slow. It fails if any of them fails.
 */
import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { root } from "../torture/daemon.ts";
import { isWithin, killAll, startPauses } from "./pauses.ts";

const { values } = parseArgs({
  options: {
    demos: { type: "string", default: "20" },
    /** How often all of the agents' tests run. */
    tests: { type: "string", default: "0" },
    /** The longest time a process is stopped, in milliseconds; 0 stops none. */
    stop: { type: "string", default: "3000" },
    /** How many programs keep a core busy. */
    busy: { type: "string", default: "1" },
    /** How much longer each fsync takes, in milliseconds; needs strace. */
    fsync: { type: "string", default: "0" },
    /** How many file descriptors a process may have; 0 keeps the current limit. */
    nofile: { type: "string", default: "0" },
    "at-once": { type: "string", default: "1" },
  },
});
const [demos, tests, stop, busy, fsync, nofile, atOnce] = (
  ["demos", "tests", "stop", "busy", "fsync", "nofile", "at-once"] as const
).map((it) => Number(values[it])) as [number, number, number, number, number, number, number];

const LAST_LINES = 40;

interface Kind {
  name: string;
  args: string[];
  /** A run that takes longer counts as hanging. */
  hangs_ms: number;
}

/** The tour itself gives up after a minute or so. */
const DEMO: Kind = { name: "demo", args: [path.join(root, "dist/oj.cjs"), "demo"], hangs_ms: 300_000 };
const TESTS: Kind = {
  name: "agents' tests",
  args: [path.join(root, "node_modules/vitest/vitest.mjs"), "run", "--project", "agents"],
  hangs_ms: 3_600_000,
};

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "oj-starve-")));
fs.chmodSync(folder, 0o711); // some tests run an agent as another user
const burners = Array.from({ length: busy }, () =>
  spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" }),
);
process.on("exit", () => {
  for (const it of burners) it.kill("SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    killAll(folder);
    process.exit(130);
  });

interface Outcome {
  ok: boolean;
  seconds: number;
  stops: number;
  where: string;
}

async function go({ args: line, name, hangs_ms }: Kind, n: number): Promise<Outcome> {
  const where = path.join(folder, `${name[0]}${n}`);
  const home = path.join(where, "home");
  const temp = path.join(where, "t");
  for (const it of [home, temp]) fs.mkdirSync(it, { recursive: true });
  const out = fs.openSync(path.join(where, "out"), "w");
  const env = { PATH: process.env.PATH, HOME: home, TMPDIR: temp, TERM: "xterm-256color", LANG: "C.UTF-8" };
  const [program = "", ...args] = [...limited(), process.execPath, ...line];
  const startedAt = performance.now();
  const child = spawn(program, args, { cwd: root, env, stdio: ["ignore", out, out], detached: true });
  const pauses = stop > 0 ? startPauses(where, stop) : null;
  const hangs = setTimeout(() => child.kill("SIGKILL"), hangs_ms);
  const code = await new Promise<number | null>((resolve) => child.on("exit", resolve));
  clearTimeout(hangs);
  const stops = pauses?.end() ?? 0;
  fs.closeSync(out);
  const left = isWithin(where);
  if (left.length > 0) fs.appendFileSync(path.join(where, "out"), `\nleft behind: ${left.join(" ")}\n`);
  const ok = code === 0 && left.length === 0;
  const seconds = (performance.now() - startedAt) / 1000;
  if (ok) fs.rmSync(where, { recursive: true, force: true });
  return { ok, seconds, stops, where };
}

function limited(): string[] {
  const micros = fsync * 1000;
  return [
    ...(nofile > 0 ? ["prlimit", `--nofile=${nofile}`] : []),
    ...(fsync > 0
      ? ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync,fdatasync", "-e"].concat(
          `inject=fsync,fdatasync:delay_exit=${micros}`,
        )
      : []),
  ];
}

async function all(kind: Kind, count: number, size: number): Promise<boolean> {
  if (count === 0) return true;
  const outcomes: Outcome[] = [];
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const n = next++;
      const outcome = await go(kind, n);
      outcomes.push(outcome);
      if (!outcome.ok)
        console.log(`✗ ${kind.name} ${n}, ${outcome.seconds.toFixed(1)} s\n  ${endOf(outcome)}`);
      else if (outcomes.length % 10 === 0) console.log(`${outcomes.length} of ${count}`);
    }
  };
  await Promise.all(Array.from({ length: size }, worker));
  const took = outcomes.map((it) => it.seconds).sort((a, b) => a - b);
  const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))]?.toFixed(1);
  const good = outcomes.filter((it) => it.ok).length;
  const stops = outcomes.reduce((sum, it) => sum + it.stops, 0);
  console.log(
    `${kind.name}: ${good} of ${count} passed; p50 ${at(0.5)} s, p95 ${at(0.95)} s, most ${at(1)} s; ${stops} stops`,
  );
  return good === count;
}

function endOf({ where }: Outcome): string {
  const said = fs.readFileSync(path.join(where, "out"), "utf8").trimEnd().split("\n");
  return [where, ...said.slice(-LAST_LINES)].join("\n  ");
}

console.log(`stops of up to ${stop} ms, ${busy} cores taken, fsync ${fsync} ms longer`);
try {
  const isGood = (await all(DEMO, demos, atOnce)) && (await all(TESTS, tests, 1));
  if (isGood) fs.rmSync(folder, { recursive: true, force: true });
  process.exitCode = isGood ? 0 : 1;
} finally {
  for (const it of burners) it.kill("SIGKILL");
}
