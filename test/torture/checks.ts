/** What must hold after a restart, besides what clients were told: about the state, the snapshots, the steps and their processes. */
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import type { ApiClient } from "../../src/api/api.ts";
import { replay } from "../../src/core/model/state/state.ts";
import { encodeState } from "../../src/core/model/state/state-text.ts";
import { selectPending, selectSettled } from "../../src/daemon/views/select-decisions.ts";
import { decisionView, jobView } from "../../src/daemon/views/views.ts";
import type { Life, Place } from "./daemon.ts";
import type { Model, Run } from "./model.ts";
import { PATIENCE_MS } from "./model.ts";
import type { Project, Trace } from "./runbook.ts";
import { ON_FAIL, readTraces } from "./runbook.ts";

export interface Ended {
  completed: number;
  interrupted: number;
  /** Started by one daemon, never begun, and run by the next. */
  takenUp: number;
  cancelled: number;
}

/** The daemon's decisions and jobs equal those folded from its whole log. Returns once both stood still for a moment. */
export async function checkReplay(model: Model, client: ApiClient): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const { seq } = await client.health();
    const [decisions, jobs] = await Promise.all([client.decisions({ all: true }), client.jobs()]);
    const after = await client.health();
    if (after.seq === seq) {
      await model.reach(seq);
      if (model.state.seq === seq) {
        const { state } = model;
        const settled = selectSettled(state, {}).flatMap((it) => state.decisions.peek(it.id) ?? []);
        same("decisions", decisions, [...selectPending(state, {}), ...settled].map(decisionView));
        same(
          "jobs",
          jobs,
          [...state.jobs.values()].reverse().map((it) => jobView(it, state)),
        );
        assert.equal(after.pending, state.pending.size, "the number of pending decisions differs");
        assert.deepEqual(after.warnings, [], "the daemon has something to warn of");
        return;
      }
    }
    assert.ok(Date.now() < deadline, "the daemon does not come to rest");
  }
}

function same(what: string, is: unknown[], should: unknown[]): void {
  if (JSON.stringify(is) === JSON.stringify(should)) return;
  assert.deepEqual(is, should, `${what} are not what the log says`);
}

/** Each snapshot on disk is, byte for byte, the log folded up to there. Call it while no daemon runs. Returns how many. */
export function checkSnapshots(model: Model, place: Place): number {
  const names = fs.readdirSync(place.stateDir).filter((it) => /^snapshot-\d+\.json$/.test(it));
  for (const name of names) {
    const text = fs.readFileSync(path.join(place.stateDir, name), "utf8");
    const end = text.indexOf("\n");
    const { seq } = JSON.parse(text.slice(0, end)) as { seq: number };
    if (seq > model.events.length) continue; // committed after the last event that we heard of: checked next time
    const folded = encodeState(replay(model.events.slice(0, seq)));
    assert.ok(text.slice(end + 1) === folded, `${name} is not the log folded up to ${seq}`);
  }
  return names.length;
}

/** Returns once this daemon has ended or taken up every run that an earlier one left. */
export async function recovered(model: Model, project: Project, life: Life): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const traces = readTraces(project);
    const left = [...model.runs.values()].filter(
      (run) =>
        !run.ended &&
        run.started.at_ms < life.from &&
        isCurrent(model, run) &&
        !isOf(traces.get(run.run_id), life.pid),
    );
    if (left.length === 0) return;
    assert.ok(Date.now() < deadline, `never taken up: ${left.map((it) => it.run_id).join(" ")}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function isCurrent(model: Model, run: Run): boolean {
  for (const job of model.state.jobs.values())
    if (job.steps.some((it) => it.run_id === run.run_id)) return true;
  return false;
}

function isOf(trace: Trace | undefined, pid: number): boolean {
  return trace !== undefined && [...trace.begin, ...trace.context].includes(pid);
}

/** The runs that have left a trace so far. Collected before the facts, so that each must have one. */
export function tracedRuns(project: Project): Set<string> {
  return new Set(readTraces(project).keys());
}

/** No step ran twice, no interrupted one counts as done, and each failure went where the runbook says. */
export function checkSteps(
  model: Model,
  project: Project,
  lives: readonly Life[],
  seen: ReadonlySet<string>,
): Ended {
  const counts = { completed: 0, interrupted: 0, takenUp: 0, cancelled: 0 };
  const lifeAt = (at_ms: number) => lives.findLast((it) => it.from <= at_ms);
  const traces = readTraces(project);
  for (const [run_id, trace] of traces) {
    assert.ok(trace.begin.length <= 1, `${run_id} ran ${trace.begin.length} times`);
    assert.ok(trace.end.length <= trace.begin.length, `${run_id} ended more often than it began`);
    // what began since then has its fact on the way
    if (seen.has(run_id))
      assert.ok(model.runs.has(run_id as Run["run_id"]), `${run_id} ran without a fact that says so`);
  }
  for (const run of model.runs.values()) {
    const { ended, step, run_id } = run;
    if (!ended) continue;
    const trace = traces.get(run_id);
    const doer = lifeAt(ended.at_ms);
    const where = `${run_id} (step ${step}, ended by ${doer?.pid} with ${ended.type})`;
    if (ended.type === "step:cancelled") counts.cancelled += 1;
    if (ended.type === "step:completed" && !("choice" in ended)) {
      assert.deepEqual(
        trace?.begin,
        [doer?.pid],
        `${where} was not begun by the daemon that says it is done`,
      );
      assert.deepEqual(trace?.end, [doer?.pid], `${where} did not come to its end`);
      counts.completed += 1;
      if (lifeAt(run.started.at_ms) !== doer) counts.takenUp += 1;
    }
    if (ended.type !== "step:failed") continue;
    const isInterrupted = /^interrupted: /.test(ended.error);
    if (isInterrupted) counts.interrupted += 1;
    else assert.deepEqual(trace?.end, [doer?.pid], `${where} failed, but not by itself: ${ended.error}`);
    const target = ON_FAIL[run.kind]?.[step];
    if (target === undefined || !run.next) continue;
    const to = run.next.type === "job:advanced" ? run.next.step : run.next.type;
    assert.equal(to, target, `${where} did not take its on_fail`);
  }
  return counts;
}

/** Every process that a step left belongs to a run that is under way. Waits a moment for those that were just ended. */
export async function checkProcesses(model: Model, mark: string): Promise<void> {
  const deadline = Date.now() + 5000;
  for (;;) {
    const strays = processesOf(mark).filter(({ run_id }) => !isUnderWay(model, run_id));
    if (strays.length === 0) return;
    if (Date.now() > deadline) {
      const text = strays.map((it) => `${it.pid} of ${it.run_id} (${it.command})`).join(", ");
      assert.fail(`processes are left that no step owns: ${text}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function isUnderWay(model: Model, run_id: string): boolean {
  for (const job of model.state.jobs.values())
    if (job.steps.some((it) => it.run_id === run_id && it.status === "running")) return true;
  return false;
}

export function processesOf(mark: string): { pid: number; run_id: string; command: string }[] {
  return fs.readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    const environ = readOrEmpty(`/proc/${pid}/environ`);
    if (!environ.includes(`TORTURE=${mark}\0`)) return [];
    const run_id = /OJ_RUN=([^\0]*)/.exec(environ)?.[1] ?? "";
    const command = readOrEmpty(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim();
    return [{ pid: Number(pid), run_id, command }];
  });
}

function readOrEmpty(file: string): string {
  try {
    return fs.readFileSync(file, "latin1");
  } catch {
    return ""; // gone, or not ours to read
  }
}
