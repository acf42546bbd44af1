/** Plays one seed: a wild time in which everything breaks, then a calm one in which everything must come to its end. */
import { callName } from "../../src/agents/claude/hooks.ts";
import { Refusal } from "../../src/core/model/errors.ts";
import type { AgentId } from "../../src/core/model/ids.ts";
import { fakeService } from "../fakes/fake-channel.ts";
import { fakeLog } from "../fakes/fake-log.ts";
import type { FakeProgram } from "../fakes/fake-terminals.ts";
import { fakePorts } from "../fakes/ports.ts";
import type { Memory, Wild } from "./client.ts";
import { startClient } from "./client.ts";
import type { Plant } from "./daemon.ts";
import { startSimulated } from "./daemon.ts";
import { startDisk } from "./disk.ts";
import type { Truth } from "./ledger.ts";
import { startLedger, Violation } from "./ledger.ts";
import type { Life, Outside } from "./life.ts";
import type { Machine } from "./machine.ts";
import { machine } from "./machine.ts";
import type { MemoryFiles } from "./memory-files.ts";
import { withMemoryFiles } from "./memory-files.ts";
import { GATE, startPeople } from "./people.ts";
import { printOf } from "./print.ts";
import { startReplayed } from "./replayed.ts";
import { startSession } from "./session.ts";
import { sharedLog } from "./shared-log.ts";
import { startTime } from "./time.ts";

export interface Played {
  seed: number;
  steps: number;
  decisions: number;
  kills: number;
  faults: number;
  /** Two runs of the same seed have the same one: of each step, and of what was written. */
  print: string;
  violation: { truth: Truth; text: string; last: string[] } | null;
}

/**
 * What may go wrong; `slow`: some writes take seconds; `outages`: the disk is full for up to a minute; `lag`: some calls
 * of tmux take seconds; `power`: whole machines go down, and what was not synced is lost; `routes`: people are told by a
 * channel, too; `policies`: some answer in a person's place; `machines`: several share the log; `sessions`: there are
 * some that oj did not start.
 */
export const TROUBLES = [
  "kills",
  "power",
  "store",
  "slow",
  "outages",
  "terminals",
  "lag",
  "crashes",
  "keyboard",
  "clock",
  "routes",
  "policies",
  "machines",
  "sessions",
] as const;
export type Trouble = (typeof TROUBLES)[number];

export interface Manner {
  /** The bug to find. */
  plant: Plant;
  /** What does not happen. */
  without: readonly Trouble[];
  /** The wild time ends after so many decisions. */
  decisions: number;
  /** And after so many steps. */
  steps: number;
}

/** A Monday morning. */
const BEGINNING = Date.UTC(2026, 0, 5, 9);
const USUAL: Manner = { plant: {}, without: [], decisions: 100, steps: 20_000 };
/** The disk becomes full with every so many seeds. */
const OUTAGES_EVERY = 5;
/** How long everything may take to come to its end, in virtual time. */
const CALM_MS = 6 * 3_600_000;

export async function play(seed: number, how: Partial<Manner> = {}): Promise<Played> {
  return withMemoryFiles((files) => playIn(seed, { ...USUAL, ...how }, files));
}

async function playIn(seed: number, how: Manner, files: MemoryFiles): Promise<Played> {
  const time = startTime(seed);
  const has = (it: Trouble) => (how.without.includes(it) ? 0 : 1);
  let violation: Played["violation"] = null;
  let kills = 0;
  let faults = 0;
  let skew = 0;
  let isWild = true;
  const log = fakeLog();
  const wallNow = () => BEGINNING + Math.round(time.now()) + skew;
  const written: string[] = [];
  const memories = new Map<AgentId, Memory>();
  const starts = () => [...memories.values()].reduce((sum, it) => sum + it.starts, 0);
  const ledger = startLedger(
    (id) => memories.get(id),
    () => kills + faults + starts(),
  );
  const failed = (error: unknown) => {
    const { message, stack } = error as Error;
    const truth = error instanceof Violation ? error.truth : "rules refuse, and never throw";
    violation ??= { truth, text: error instanceof Violation ? message : String(stack), last: time.last() };
  };
  const guarded = (act: () => void) => {
    try {
      act();
    } catch (error) {
      failed(error);
    }
  };
  const slack = fakeService("slack");
  const routes = time.odds(25) && has("routes") === 1;
  const policies = time.odds(40) && has("policies") === 1;
  const chances: Life["faults"] = {
    store: has("store") * time.one([0, 0, 1, 4]),
    terminals: has("terminals") * time.one([0, 0, 1, 4]),
    lag: has("lag") * ([0, 0, 5, 40][seed % 4] ?? 0), // not drawn: what else happens with a seed stays as it was
  };
  const killEvery = time.one([20_000, 60_000, 200_000]);
  const slow = has("slow") * time.one([0, 0, 1, 5]);
  const disk = startDisk(time, () => (isWild ? slow : 0), how.plant.torn?.(time));
  log.setDisk(disk.write);

  const count = has("machines") === 1 ? time.one([1, 1, 2, 3]) : 1;
  const shared = sharedLog(log, time, wallNow, count);
  const machines = Array.from({ length: count }, (_, n) => newMachine(count === 1 ? "" : `m${n + 1}`));
  const up = () => machines.flatMap((it) => it.current() ?? []);
  /** Whoever does something does it at one of the machines. */
  const any = () => {
    const there = up();
    return there.length > 0 ? time.one(there) : null;
  };
  /** One that has seen everything that was written. */
  const knowing = () => up().find((it) => it.state.seq === written.length) ?? null;

  function newMachine(name: string): Machine {
    const fakes = fakePorts({ random: time.chance.bytes, log });
    const died: Parameters<typeof machine>[2] = ({ life }, how) => {
      disk.died(life, how);
      if (how === "kill") return;
      fakes.terminals.goDown();
      fakes.shell.goDown(() => time.odds(50));
    };
    const it = machine(name, fakes, died, (life, began) => {
      const outside: Outside = {
        time,
        fakes,
        disk,
        logFor: (isOver) => shared.seenBy(name, isOver),
        wallNow,
        met: () => void faults++,
        written(events) {
          for (const event of events) written.push(JSON.stringify(event));
          guarded(() => ledger.written(events));
        },
      };
      const parts = { slack, routes, policies, plant: how.plant, began };
      void startSimulated(outside, life, chances, parts).catch((error) => {
        if (!(error instanceof Refusal)) return failed(error);
        time.after(time.span(0, 3000), "a daemon that could not start is started again", it.boot);
      });
    });
    fakes.terminals.onStart = (program) => startProgram(program, it);
    fakes.shell.onRun = async ({ run_id, script }) => {
      const isGate = script.includes(GATE) || run_id.endsWith("-changes"); // the same for what looks at its folder
      guarded(() => ledger.ran(run_id, isGate, kills));
      await time.sleep(time.span(10, 20_000), `${run_id} runs`);
      return { code: time.odds(isWild ? 15 : 0) ? 1 : 0 };
    };
    return it;
  }

  function kill(): void {
    const it = time.one(machines);
    const isPower = time.odds(has("power") * 20);
    if (!it.end(isPower ? "power" : "kill")) return;
    kills += 1;
    const most = isPower ? 60_000 : count === 1 ? 3000 : time.one([3000, 60_000]);
    time.after(time.span(0, most), "a daemon starts", it.boot);
  }

  function killSoon(): void {
    time.after(time.span(1000, killEvery), "kill", () => {
      if (!isWild) return;
      kill();
      killSoon();
    });
  }

  const wildOn = (machine: Machine): Wild => ({
    time,
    crashes: has("crashes") * time.one([0, 2, 5]),
    people: has("keyboard") * time.one([0, 10, 30]),
    isOver: () => !isWild,
    async hook(agent_id, body, abort) {
      await time.sleep(time.span(0, 20), `${agent_id} reports ${String(body.hook_event_name)}`);
      const to = machine.current();
      if (!to || abort.aborted) return null;
      let noteSent = (_: boolean) => {};
      const sent = new Promise<boolean>((resolve) => (noteSent = resolve));
      const broken = new Promise<null>((resolve) => to.life.onCut(() => resolve(null)));
      const given = await Promise.race([
        to.agents.hooks.handle(agent_id, body, abort, sent).catch((error) => {
          if (!(error instanceof Refusal)) failed(error);
          return null; // the client carries on as if nobody had been there
        }),
        broken,
      ]);
      if (given === null) return null;
      await time.sleep(time.span(0, 20), `${agent_id} gets the response to ${String(body.hook_event_name)}`);
      const isOut = !to.life.isOver && !abort.aborted;
      noteSent(isOut);
      return isOut ? (given as Record<string, unknown>) : null;
    },
    decided(agent_id, call, verdict) {
      const keys = [call.id, callName(call.name, call.input)];
      const memory = memories.get(agent_id);
      for (const key of keys) memory?.verdicts.set(key, [...(memory.verdicts.get(key) ?? []), verdict]);
      guarded(() => ledger.verdict(agent_id, keys, verdict));
    },
    heard: (agent_id, text) => guarded(() => ledger.heard(agent_id, text)),
    said: (agent_id, text) => guarded(() => ledger.said(agent_id, text)),
    keep: (file, line) =>
      files.append(file, JSON.stringify({ ...line, timestamp: new Date(wallNow()).toISOString() })),
    failed,
  });
  function startProgram(program: FakeProgram, on: Machine): void {
    const { agent_id: id } = program.started;
    const memory = memories.get(id) ?? {
      id,
      verdicts: new Map(),
      heard: [],
      over: new Set(),
      calls: 0,
      starts: 0,
    };
    memories.set(id, memory);
    startClient(program, memory, wildOn(on));
  }

  if (has("sessions"))
    for (let n = time.one([0, 0, 1, 2]); n > 0; n--)
      void startSession(`ses-${n}`, {
        time,
        machine: time.one(machines),
        people: has("keyboard") * 30,
        isOver: () => !isWild,
        answered: (command, allow) => guarded(() => ledger.answered(command, allow)),
        failed,
      }).catch(failed);

  const people = startPeople({ time, ledger, daemon: any, failed });
  function actSoon(): void {
    time.after(time.span(50, 3000), "somebody does something", () => {
      if (!isWild) return;
      people.act();
      actSoon();
    });
  }
  function jumpSoon(): void {
    time.after(time.span(10_000, 300_000), "the clock is set", () => {
      if (!isWild) return;
      skew += time.one([-3_600_000, -5000, 5000, 600_000, 86_400_000]);
      jumpSoon();
    });
  }

  const replayed = startReplayed(written);
  const isEqual = () => {
    const living = machines.flatMap((it) => it.latest() ?? []).filter((it) => !it.life.isOver);
    for (const { state } of living.sort((a, b) => a.state.seq - b.state.seq))
      if (!replayed.makes(state)) failed(new Violation("state equals replay", `at event ${state.seq}`));
  };

  function fillSoon(): void {
    time.after(time.span(20_000, 200_000), "the disk becomes full", () => {
      if (!isWild) return;
      disk.fill(1000 + time.chance.pick(59_000));
      fillSoon();
    });
  }

  for (const it of machines) it.boot();
  actSoon();
  if (has("kills")) killSoon();
  if (has("clock")) jumpSoon();
  if (has("outages") && seed % OUTAGES_EVERY === 0) fillSoon(); // not drawn, as `lag`
  while (violation === null && ledger.decisions() < how.decisions && time.steps() < how.steps) {
    if (!(await time.step())) break;
    if (time.steps() % 500 === 0) isEqual();
  }
  isWild = false;
  chances.store = 0;
  chances.terminals = 0;
  chances.lag = 0;
  const end = time.now() + CALM_MS;
  let nextLook = 0;
  let isOver = false;
  while (violation === null && !isOver) {
    if (time.now() >= nextLook) {
      nextLook = time.now() + 20_000;
      isOver = people.finish() && isSettled();
    }
    if (time.now() > end) failed(new Violation("every decision has a way out", leftIn()));
    if (!(await time.step())) break;
  }
  if (violation === null) isEqual();
  if (violation === null && !replayed.isWhole())
    failed(new Violation("state equals replay", "folding on differs from folding it all"));
  for (const it of machines) it.end("kill");
  return {
    seed,
    steps: time.steps(),
    decisions: ledger.decisions(),
    kills,
    faults,
    print: printOf(time.print(), written),
    violation,
  };

  function isSettled(): boolean {
    return leftIn() === "";
  }

  /** What has not come to its end. */
  function leftIn(): string {
    const state = up().length === count ? knowing()?.state : null;
    if (!state) return "a daemon is not up";
    const left = [
      ...[...state.pending].map((id) => `${id} is pending`),
      ...[...state.agents.values()].flatMap((it) =>
        it.status === "ended"
          ? []
          : [`${it.id} is ${it.status} (${it.outbox.length} parcels, stopping: ${it.stopping})`],
      ),
      ...[...state.decisions.values()].flatMap((it) =>
        it.agent_id !== null && (it.delivery.state === "owed" || it.delivery.state === "delivered")
          ? [`the answer to ${it.id} (${it.source}) is ${it.delivery.state}`]
          : [],
      ),
    ];
    return left.join("; ");
  }
}
