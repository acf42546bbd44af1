/** What each part of a start costs: of `oj decision list`, and of a daemon that has nothing to load. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import type { Place } from "../torture/daemon.ts";
import { makePlace, root, startLife } from "../torture/daemon.ts";
import { callerOn } from "./http.ts";
import { SETTINGS } from "./latency.ts";
import type { Row } from "./rows.ts";
import { ms, row, times } from "./rows.ts";

const RUNS = 21;
/** Code that ran once is in the cache; what it compiled later, only after the second. */
const WARM = 3;
const PENDING = 20;

/** A moment of a start, and what the time since the one before was spent on. */
type Parts = readonly (readonly [moment: string, spent: string])[];

const LIST: Parts = [
  ["node", "Node itself, to the first line"],
  ["compiled", "our code, read from V8's cache"],
  ["connect", "its modules run; arguments and settings are read"],
  ["answered", "the daemon is asked and answers"],
  ["exit", "the list is laid out and printed"],
  ["gone", "Node ends"],
];

const DAEMON: Parts = [
  ["node", "Node itself, to the first line"],
  ["compiled", "our code, read from V8's cache"],
  ["ran", "its modules run (schemas, routes); settings are read"],
  ["thread", "the lock is taken; SQLite is loaded"],
  ["online", "the thread that writes starts"],
  ["opened", "the store is opened, the log is read"],
  ["listen", "state, runbooks, chores, the app of routes"],
  ["ready", "it listens: two ports and a socket; says that it is ready"],
  ["answer", "the first answer (code that never ran before)"],
];

/** When it was, in ms since the process was started, and what processor time it had taken (not known of its end). */
interface Moment {
  at: number;
  cpu: number;
}

type Notes = Readonly<Record<string, Moment>>;

const NEVER: Moment = { at: Number.NaN, cpu: Number.NaN };
const BEGUN: Moment = { at: 0, cpu: 0 };

export async function measureStarts(dir: string): Promise<Row[]> {
  const served = makePlace(path.join(dir, "list"), SETTINGS);
  const life = startLife(served);
  await life.ready;
  try {
    await ask(served);
    const taken = { node: [] as number[], list: [] as Notes[], daemon: [] as Notes[] };
    for (let run = 0; run < RUNS + WARM; run++) {
      const [node, list] = [await nodeMs(served), await listOnce(served, dir)];
      const daemon = await daemonOnce(path.join(dir, `daemon-${run}`), served);
      if (run < WARM) continue;
      taken.node.push(node);
      taken.list.push(list);
      taken.daemon.push(daemon);
    }
    const node = Math.min(...taken.node);
    return [
      ...rowsOf("`oj decision list`, with a running daemon", LIST, taken.list, node),
      ...rowsOf("an empty daemon, to its first answer", DAEMON, taken.daemon, node),
    ];
  } finally {
    await life.kill();
  }
}

function rowsOf(name: string, parts: Parts, notes: readonly Notes[], node: number): Row[] {
  const group = `what a start costs: ${name} (best of ${RUNS})`;
  let before: string | null = null;
  const rows = parts.map(([moment, spent]) => {
    const from = before;
    before = moment;
    const [value, cpu] = [least(notes, "at", from, moment), least(notes, "cpu", from, moment)];
    const floor = Number.isNaN(cpu) ? "" : `${ms(cpu)} of processor time`;
    return row(group, spent, {
      measured: ms(value),
      floor,
      ratio: times(value / node),
      values: { value, cpu },
    });
  });
  const value = least(notes, "at", null, parts.at(-1)?.[0] ?? "");
  const floor = `${ms(node)} node -e 0`;
  return [
    ...rows,
    row(group, "in all", { measured: ms(value), floor, ratio: times(value / node), values: { value, node } }),
  ];
}

/** Of each part its own least: on a busy machine, no run is undisturbed. */
function least(notes: readonly Notes[], what: keyof Moment, from: string | null, to: string): number {
  return Math.min(
    ...notes.map((it) => {
      const probe = (it.probe ?? NEVER)[what] - (it.node ?? NEVER)[what]; // what noting took, before our first line
      const begun = from === null ? BEGUN : (it[from] ?? NEVER);
      const ours = from === "node" || (from === null && to !== "node");
      return (it[to] ?? NEVER)[what] - begun[what] - (ours ? probe : 0);
    }),
  );
}

async function ask({ socket }: Place): Promise<void> {
  const caller = callerOn(socket);
  for (let n = 0; n < PENDING; n++) {
    const options = [{ label: "yes" }, { label: "no" }];
    await caller.call("POST", "/decisions", {
      project: "bench",
      cwd: "/",
      prompt: `Question ${n}?`,
      options,
    });
  }
  caller.close();
}

function nodeMs({ env }: Place): Promise<number> {
  const from = epoch();
  const child = spawn(process.execPath, ["-e", "0"], { env, stdio: "ignore" });
  return new Promise((resolve, reject) =>
    child.once("error", reject).once("exit", () => resolve(epoch() - from)),
  );
}

async function listOnce({ env }: Place, dir: string): Promise<Notes> {
  const out = path.join(dir, "notes.json");
  const from = epoch();
  const child = probed(["oj.cjs", "decision", "list"], {
    ...env,
    OJ_PROBE_OUT: out,
    OJ_PROBE_FROM: String(from),
  });
  const [code, gone] = await new Promise<[number | null, number]>((resolve, reject) =>
    child.once("error", reject).once("exit", (code) => resolve([code, epoch() - from])),
  );
  if (code !== 0) throw new Error(`oj decision list: exit ${code}`);
  return { ...notesIn(out), gone: { at: gone, cpu: Number.NaN } };
}

/** A new folder each time, but the caches of the same home. */
async function daemonOnce(dir: string, { env }: Place): Promise<Notes> {
  const { stateDir, socket } = makePlace(dir, SETTINGS);
  const out = path.join(dir, "notes.json");
  const from = epoch();
  const own = { ...env, OJ_STATE_DIR: stateDir, OJ_PROBE_OUT: out, OJ_PROBE_FROM: String(from) };
  const child = probed(["daemon.cjs"], own);
  const gone = new Promise((resolve) => child.once("exit", resolve));
  const ready = new Promise((resolve) => child.stdio[3]?.once("data", resolve));
  try {
    await Promise.race([ready, gone]);
    const caller = callerOn(socket);
    await caller.call("GET", "/decisions");
    const answer = epoch() - from;
    caller.close();
    return { ...notesIn(out), answer: { at: answer, cpu: Number.NaN } };
  } finally {
    child.kill("SIGKILL");
    await gone;
    fs.rmSync(dir, { recursive: true, force: true });
  }
}

function probed([program = "", ...args]: string[], env: Record<string, string>) {
  const probe = path.join(root, "test/bench/start-probe.cjs");
  return spawn(process.execPath, [probe, path.join(root, "dist", program), ...args], {
    env,
    cwd: "/",
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
}

function notesIn(file: string): Notes {
  return JSON.parse(fs.readFileSync(file, "utf8")) as Notes;
}

function epoch(): number {
  return performance.timeOrigin + performance.now();
}
