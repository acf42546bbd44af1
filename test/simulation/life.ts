/** One life of a daemon: its calls take time, go wrong, and are cut off when it is killed. */
import { Refusal } from "../../src/core/model/errors.ts";
import type { Event } from "../../src/core/model/events.ts";
import type { Clock, Decide, Log, Ports, Terminals } from "../../src/ports.ts";
import { Unreachable } from "../../src/ports.ts";
import { CutOff } from "../fakes/fake-log.ts";
import type { FakePorts } from "../fakes/ports.ts";
import type { Disk } from "./disk.ts";
import { full } from "./disk.ts";
import type { Time } from "./time.ts";

export interface Life {
  name: string;
  isOver: boolean;
  /** What goes wrong, in percent of the calls. */
  faults: { store: number; terminals: number; lag: number };
  ports: Ports;
  /** Its connections break. */
  cut(): void;
  onCut(call: () => void): void;
}

/** What is outside and outlives a daemon. */
export interface Outside {
  time: Time;
  fakes: FakePorts;
  /** What the log is on. */
  disk: Disk;
  /** The log as a daemon of this machine sees it. */
  logFor(isOver: () => boolean): Log;
  /** The wall clock, which people and NTP set. */
  wallNow(): number;
  /** Faults that were met, for the summary and for what may happen twice because of them. */
  met(what: string): void;
  /** These are on disk now, whoever hears of it. */
  written(events: readonly Event[]): void;
}

export function startLife(outside: Outside, name: string, faults: Life["faults"]): Life {
  const { time, fakes } = outside;
  const log = outside.logFor(() => life.isOver);
  const cuts: (() => void)[] = [];
  const life: Life = {
    name,
    isOver: false,
    faults,
    ports: null as never,
    cut() {
      for (const call of cuts.splice(0)) call();
    },
    onCut: (call) => void cuts.push(call),
  };

  async function turn(after: number, decide: Decide): Promise<void> {
    let made: readonly Event[] = [];
    const writing = log.turn(after, (news, at_ms) => {
      if (life.isOver) return []; // it died while it waited for its turn
      outside.disk.takenBy(life);
      made = decide(news, at_ms);
      return made;
    });
    const there = await writing.then(
      () => made.length,
      (error) => {
        if (outside.disk.isFull()) outside.met("full");
        if (!(error instanceof CutOff)) throw error;
        return error.there;
      },
    );
    outside.written(made.slice(0, there));
  }

  /** The request travels, is carried out, and the response travels: a kill may come in between. */
  function call<T>(
    what: string,
    act: () => Promise<T>,
    fault: (() => Error | null) | null = null,
    late = 0,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const answer = (how: () => void) =>
        time.after(time.span(0, 4), `${name} < ${what}`, () => !life.isOver && how());
      if (life.isOver) return;
      time.after(time.span(0, 6) + late, `${name} > ${what}`, () => {
        if (life.isOver) return;
        const error = fault?.() ?? null;
        const isLost = error instanceof Unreachable && time.odds(50); // it was carried out, and nobody heard of it
        if (error && !isLost) return void answer(() => reject(error));
        act().then(
          (value) => void answer(() => (error ? reject(error) : resolve(value))),
          (thrown) => void answer(() => reject(thrown)),
        );
      });
    });
  }

  const storeFails = () => {
    if (!time.odds(life.faults.store)) return null;
    outside.met("store");
    return new Refusal("store.failed", "the disk is full", "oj daemon logs");
  };
  const terminalsFail = () => {
    if (!time.odds(life.faults.terminals)) return null;
    outside.met("terminals");
    return new Unreachable("tmux does not respond");
  };

  /** On a loaded machine, tmux takes seconds to respond. */
  const onTerminal = <T>(what: string, act: () => Promise<T>): Promise<T> => {
    const { lag } = life.faults;
    return call(what, act, terminalsFail, lag > 0 && time.odds(lag) ? time.span(300, 8000) : 0);
  };

  const clock: Clock = {
    now: outside.wallNow,
    monotonic: () => time.now(),
    after: (ms, act) => time.after(ms, `${name} timer`, () => !life.isOver && act()),
  };
  const { shell } = fakes;
  const slowLog: Log = {
    ...log,
    read: (after, limit) => call("read", () => log.read(after, limit)),
    turn: (after, decide) => call("turn", () => turn(after, decide), storeFails),
    snapshot: (seq) =>
      call(
        "snapshot",
        () => log.snapshot(seq),
        () => (outside.disk.isFull() ? full() : null),
      ),
    compact: (seq) => call("compact", () => log.compact(seq)),
    machines: (self) => call("machines", () => log.machines(self)),
    follow: (tell) => log.follow(() => !life.isOver && tell()),
  };
  const view = fakes.terminals.restart();
  view.onStart = fakes.terminals.onStart;
  const slowTerminals: Terminals = {
    ...view,
    start: (input) => onTerminal(`start ${input.agent_id}`, () => view.start(input)),
    list: () => onTerminal("list", () => view.list()),
    paste: (id, text, onto) => onTerminal(`paste ${id}`, () => view.paste(id, text, onto)),
    press: (id, keys, onto) => onTerminal(`press ${id} ${keys.join()}`, () => view.press(id, keys, onto)),
    screen: (id, how) => onTerminal("screen", () => view.screen(id, how)),
    kill: (id) => onTerminal(`kill ${id}`, () => view.kill(id)),
    watch: (watcher) =>
      view.watch({
        exited: (id, exit) => !life.isOver && watcher.exited(id, exit),
        printed: (id) => !life.isOver && watcher.printed(id),
        attached: (id) => !life.isOver && watcher.attached?.(id),
      }),
  };
  const ownShell = shell.restart();
  ownShell.onRun = shell.onRun;
  ownShell.ran = shell.ran;
  life.ports = {
    ...fakes,
    clock,
    log: slowLog,
    terminals: slowTerminals,
    shell: {
      ...ownShell,
      run: (script, how) => call(`run ${script.run_id}`, () => ownShell.run(script, how)),
      stop: (id) => call(`stop ${id}`, () => ownShell.stop(id)),
      recover: (id) => call(`recover ${id}`, () => ownShell.recover(id)),
      forget: (id) => call(`forget ${id}`, () => ownShell.forget(id)),
    },
    workspaces: {
      make: (...all) => call("make workspace", () => fakes.workspaces.make(...all)),
      remove: (...all) => call("remove workspace", () => fakes.workspaces.remove(...all)),
    },
    journal: SILENT,
    random: time.chance.bytes,
  };
  return life;
}

const SILENT = { debug() {}, info() {}, warn() {}, error() {} };
