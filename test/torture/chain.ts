/** A chain of rounds in one state folder: a daemon is started, checked, put under load and killed, again and again. */
import fs from "node:fs";
import path from "node:path";
import type { Ended } from "./checks.ts";
import {
  checkProcesses,
  checkReplay,
  checkSnapshots,
  checkSteps,
  processesOf,
  recovered,
  tracedRuns,
} from "./checks.ts";
import type { World } from "./clients.ts";
import { letLoose } from "./clients.ts";
import type { Life } from "./daemon.ts";
import { callerOf, makePlace, startLife } from "./daemon.ts";
import { makeLedger } from "./ledger.ts";
import { makeModel } from "./model.ts";
import { randomFrom } from "./random.ts";
import { makeProject } from "./runbook.ts";

/** Small numbers, so that snapshots and compaction happen in every chain, often during a kill. */
const SETTINGS = `
[store]
snapshot_every = 60
keep_events = 400
[limits]
requests_per_minute = 1000000000
`;

/** When the daemon is killed, and how often that is chosen. */
const POINTS = {
  "at a random moment": 30,
  "right after a commit was acknowledged": 20,
  "right after an event was published": 10,
  "while a step runs": 10,
  "while a snapshot is written": 12,
  "during a graceful stop": 8,
  "while booting": 10,
};
export type Point = keyof typeof POINTS;

/** No round waits longer than this for its moment. */
const LATEST_MS = 2000;

/** At least this much was acknowledged before the daemon is killed: a loaded machine must not make the rounds empty. */
const LEAST = 3;
const MOST = 30;

export interface Tally {
  rounds: number;
  kills: Map<Point, number>;
  boots: number;
  bootMs: number;
  events: number;
  snapshots: number;
  calls: number;
  acknowledged: number;
  conflicts: number;
  unknown: number;
  steps: Ended;
  ledger: Record<string, number>;
}

export interface ChainInput {
  seed: number;
  rounds: number;
  dir: string;
  tally: Tally;
  onRound(): void;
}

export async function runChain({ seed, rounds, dir, tally, onRound }: ChainInput): Promise<void> {
  const random = randomFrom(seed);
  const mark = path.basename(dir);
  const place = makePlace(dir, SETTINGS);
  const project = makeProject(dir, mark);
  const model = makeModel(place);
  const ledger = makeLedger();
  const lives: Life[] = [];
  let tokens = 0;
  const token = () => `t${++tokens}-${mark}`;
  const world: World = { place, project, model, ledger, random, counts: tally, token };
  const client = callerOf(place, "checker");
  let steps: Ended = { completed: 0, interrupted: 0, takenUp: 0, cancelled: 0 };

  try {
    for (let round = 0; round < rounds; round++) {
      const point = random.weighted(POINTS);
      if (point === "while booting") await killWhileBooting();
      else await killUnderLoad(point);
      tally.kills.set(point, (tally.kills.get(point) ?? 0) + 1);
      tally.rounds += 1;
      onRound();
    }
    await endInPeace();
  } catch (error) {
    fs.writeFileSync(
      path.join(dir, "events.json"),
      `${model.events.map((it) => JSON.stringify(it)).join("\n")}\n`,
    );
    fs.writeFileSync(path.join(dir, "lives.json"), JSON.stringify(lives, null, 2));
    throw error;
  } finally {
    await Promise.all(lives.map((it) => it.kill()));
    for (const { pid } of processesOf(mark)) process.kill(pid, "SIGKILL");
  }
  tally.events += model.events.length;
  for (const [name, count] of Object.entries(steps)) tally.steps[name as keyof Ended] += count;
  for (const [name, count] of Object.entries(ledger.counts()))
    tally.ledger[name] = (tally.ledger[name] ?? 0) + count;

  function start(): Life {
    const life = startLife(place);
    lives.push(life);
    tally.boots += 1;
    return life;
  }

  async function killWhileBooting(): Promise<void> {
    const life = start();
    await Promise.race([sleep(random.int(0, 200)), life.ready]);
    await life.kill();
    tally.snapshots += checkSnapshots(model, place);
  }

  async function killUnderLoad(point: Point): Promise<void> {
    const life = start();
    await life.ready;
    tally.bootMs += Date.now() - life.from;
    const fuse = makeFuse(point, life);
    const stop = model.follow(life, fuse.onEvent);
    await check(life);
    fuse.light();
    await letLoose(world, life, fuse.isOver, fuse.onAcknowledged);
    await fuse.over;
    await life.exited;
    await stop();
    fuse.dispose();
    tally.snapshots += checkSnapshots(model, place);
  }

  async function check(life: Life): Promise<void> {
    const seen = tracedRuns(project);
    const { seq } = await client.health();
    await model.reach(seq);
    await recovered(model, project, life);
    await checkReplay(model, client);
    ledger.check(model);
    steps = checkSteps(model, project, lives, seen);
    await checkProcesses(model, mark);
  }

  /** The last daemon is stopped as a person would stop it: it must leave everything in order, and no process. */
  async function endInPeace(): Promise<void> {
    const life = start();
    await life.ready;
    tally.bootMs += Date.now() - life.from;
    const stop = model.follow(life, () => {});
    await check(life);
    life.ending = true;
    await client.stop({});
    await life.exited;
    await stop();
    tally.snapshots += checkSnapshots(model, place);
    const left = processesOf(mark);
    if (left.length > 0) throw new Error(`left after a stop: ${left.map((it) => it.command).join(", ")}`);
  }

  /** Kills the daemon at its point, once it is up and some work was done. */
  function makeFuse(point: Point, life: Life): Fuse {
    const timers: NodeJS.Timeout[] = [];
    const later = (ms: number, call: () => void) => void timers.push(setTimeout(call, ms));
    const pause = random.int(0, 15);
    let work = random.int(LEAST, MOST);
    let isLit = false;
    let isOver = false;
    let blown = () => {};
    const over = new Promise<void>((resolve) => {
      blown = resolve;
    });

    function blow(): void {
      if (isOver) return;
      isOver = true;
      void life.kill().then(blown);
    }

    function stopPolitely(): void {
      life.ending = true;
      client.stop({}).catch(() => undefined);
      later(random.int(0, 60), blow);
    }

    function at(happened: Point): void {
      if (isLit && work <= 0 && point === happened) blow();
    }

    const watchers = [
      fs.watch(place.stateDir, (_, name) => {
        if (/^snapshot-.*\.tmp$/.test(name ?? "")) at("while a snapshot is written");
      }),
      fs.watch(project.lines, () => at("while a step runs")),
    ];
    return {
      over,
      isOver: () => isOver,
      light() {
        isLit = true;
        later(LATEST_MS, blow);
      },
      onAcknowledged() {
        if (!isLit) return;
        work -= 1;
        at("right after a commit was acknowledged");
        if (work !== 0) return;
        if (point === "at a random moment") later(pause, blow);
        if (point === "during a graceful stop") later(pause, stopPolitely);
      },
      onEvent: () => at("right after an event was published"),
      dispose() {
        for (const watcher of watchers) watcher.close();
        for (const timer of timers) clearTimeout(timer);
      },
    };
  }
}

interface Fuse {
  /** The daemon is gone. */
  over: Promise<void>;
  isOver(): boolean;
  light(): void;
  onAcknowledged(): void;
  onEvent(): void;
  dispose(): void;
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
