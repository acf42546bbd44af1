/** The port `Shell` in memory: its scripts do what the test says, and it remembers what it was told. Passes the shell's contract. */
import { keeper } from "../../src/adapters/bash/keeper.ts";
import type { ShellOutcome } from "../../src/core/control/job.ts";
import type { RunId } from "../../src/core/model/ids.ts";
import type { Clock, Script, Shell, ShellManner } from "../../src/ports.ts";

/** What a script does. */
export interface Doing {
  prints?: string;
  /** What it prints to stderr. */
  complains?: string;
  code?: number;
  /** Runs until somebody ends it. */
  endless?: boolean;
}

export interface FakeShell extends Shell {
  /** Called for each script as it begins. By default a script does nothing and succeeds. */
  onRun(script: Script): Doing | Promise<Doing>;
  /** The scripts that were begun, stopped and forgotten, in order. */
  ran: Script[];
  stopped: RunId[];
  forgotten: RunId[];
  /** The next daemon's view of the same runs. */
  restart(): FakeShell;
  /** The machine goes down: nothing runs any more, and what says that these runs had begun is lost. */
  goDown(lost: (run_id: RunId) => boolean): void;
}

interface Running {
  reason: string | null;
  end(reason: string): void;
  over: Promise<void>;
}

interface Runs {
  running: Map<RunId, Running>;
  /** When each run that was not forgotten began. */
  begun: Map<RunId, number>;
  /** The machine went down, and nobody has taken over since. */
  wentDown: boolean;
}

export function fakeShell(clock: Clock): FakeShell {
  return viewOf({ running: new Map(), begun: new Map(), wentDown: false }, clock);
}

function viewOf(runs: Runs, clock: Clock): FakeShell {
  const { running, begun } = runs;
  const own = new Set<Running>();

  async function run(script: Script, how: ShellManner): Promise<ShellOutcome> {
    const { run_id } = script;
    let [ended, over] = [() => {}, () => {}];
    const untilEnded = new Promise<void>((resolve) => (ended = resolve));
    const mine: Running = {
      reason: null,
      end(reason) {
        mine.reason ??= reason;
        ended();
      },
      over: new Promise((resolve) => (over = resolve)),
    };
    own.add(mine);
    running.set(run_id, mine); // at once, so that a run can be stopped from the very beginning
    try {
      return await runAs(mine, untilEnded, script, how);
    } finally {
      own.delete(mine);
      running.delete(run_id);
      over();
    }
  }

  async function runAs(mine: Running, untilEnded: Promise<void>, script: Script, how: ShellManner) {
    const { run_id, job_id } = script;
    await Promise.resolve();
    if (mine.reason !== null) return { run_id, job_id, exit_code: null, error: mine.reason, output: "" };
    begun.set(run_id, clock.now());
    view.ran.push(script);
    const { timeoutMs } = how;
    const late = () => mine.end(`timed out after ${(timeoutMs ?? 0) / 1000} s`);
    const disarm = timeoutMs === null ? () => {} : clock.after(timeoutMs, late);
    const kept = keeper(how.keepBytes, how.keep);
    const doing = await Promise.race([view.onRun(script), untilEnded]);
    const { prints = "", complains = "", code = 0, endless = false } = doing ?? {};
    if (prints !== "") {
      kept.add(Buffer.from(prints));
      await how.onOutput(Buffer.from(prints));
    }
    if (complains !== "") {
      if (how.oneStream) kept.add(Buffer.from(complains));
      await how.onOutput(Buffer.from(complains));
    }
    if (endless) await untilEnded;
    disarm();
    const failed =
      code === 0 ? null : `exit code ${code}${complains && !how.oneStream ? `\n${complains.trim()}` : ""}`;
    return {
      run_id,
      job_id,
      exit_code: mine.reason === null ? code : null,
      error: mine.reason ?? failed,
      output: kept.text(),
    };
  }

  async function endOne(run_id: RunId, reason: string): Promise<void> {
    const one = running.get(run_id);
    one?.end(reason);
    await one?.over;
  }

  const view: FakeShell = {
    onRun: () => ({}),
    ran: [],
    stopped: [],
    forgotten: [],
    restart: () => viewOf(runs, clock),
    goDown(lost) {
      for (const one of running.values()) one.end("killed by SIGKILL");
      for (const run_id of [...begun.keys()]) if (lost(run_id)) begun.delete(run_id);
      runs.wentDown = true;
    },
    run,
    async stop(run_id) {
      view.stopped.push(run_id);
      await endOne(run_id, "cancelled");
    },
    async recover(run_id) {
      await endOne(run_id, "killed by SIGKILL");
      return runs.wentDown || begun.has(run_id) ? "began" : "never-began";
    },
    async tookOver() {
      runs.wentDown = false;
    },
    async *left(before_ms) {
      for (const [run_id, at_ms] of [...begun]) if (at_ms < before_ms) yield run_id;
    },
    async forget(run_id) {
      view.forgotten.push(run_id);
      begun.delete(run_id);
    },
    async close() {
      const all = [...own];
      for (const one of all) one.end("interrupted: the daemon was stopped while this step ran");
      await Promise.all(all.map((one) => one.over));
    },
  };
  return view;
}
