/** Several clients at once: they ask, race to answer, wait, start jobs and cancel them, and note what they were told. */
import assert from "node:assert/strict";
import type { Answer } from "../../src/core/model/decision-types.ts";
import type { RefusalCode } from "../../src/core/model/errors.ts";
import { Refusal } from "../../src/core/model/errors.ts";
import type { DecisionId, JobId } from "../../src/core/model/ids.ts";
import { hasEnded } from "../../src/core/model/job-types.ts";
import type { Life, Place } from "./daemon.ts";
import { callerOf } from "./daemon.ts";
import type { Ledger } from "./ledger.ts";
import type { Model } from "./model.ts";
import type { Random } from "./random.ts";
import type { Project } from "./runbook.ts";

export interface Counts {
  calls: number;
  acknowledged: number;
  conflicts: number;
  /** Calls whose connection broke with the daemon: they may or may not have been taken. */
  unknown: number;
}

export interface World {
  place: Place;
  project: Project;
  model: Model;
  ledger: Ledger;
  random: Random;
  counts: Counts;
  /** For names that are used once. */
  token(): string;
}

const CLIENTS = 5;

/** Lets clients loose on the daemon until `isOver`; rejects if one of them was told something wrong. */
export async function letLoose(
  world: World,
  life: Life,
  isOver: () => boolean,
  onAcknowledged: () => void,
): Promise<void> {
  const waits: Promise<void>[] = [];
  const run = async () => {
    while (!isOver()) await act(world, life, onAcknowledged, waits);
  };
  await Promise.all(Array.from({ length: CLIENTS }, run));
  await Promise.all(waits); // each ends with its answer, or with the daemon
}

async function act(
  world: World,
  life: Life,
  onAcknowledged: () => void,
  waits: Promise<void>[],
): Promise<void> {
  const { random, model, ledger, place, project } = world;
  const as = (user: string) => callerOf(place, user);
  const call = <T>(work: Promise<T>, ...allowed: RefusalCode[]) =>
    told(world, life, work, allowed, onAcknowledged);
  const pending = () => random.pick([...model.state.pending]);
  const job = () => random.pick([...model.state.jobs.keys()]);

  const what = random.weighted({
    ask: 30,
    answer: 30,
    read: 8,
    run: 9,
    long: 2,
    cancelJob: 5,
    withdraw: 3,
    pause: 3,
    delete: 3,
  });
  switch (what) {
    case "ask": {
      const decision = await call(as("asker").requestDecision(question(world)));
      if (!decision) return;
      ledger.created(decision);
      if (random.chance(0.3)) waits.push(wait(decision.id));
      return;
    }
    case "answer": {
      const id = pending();
      if (!id) return;
      const racers = Array.from({ length: random.int(1, 4) }, () => world.token());
      await Promise.all(racers.map((by) => answer(id, by)));
      return;
    }
    case "read": {
      const id = pending();
      const seen = id && (await call(as("reader").decision(id), "decision.not-found"));
      if (seen?.answer) ledger.told(seen.id, seen.answer);
      return;
    }
    case "run":
    case "long": {
      const token = world.token();
      const pause = `0.0${random.int(0, 6)}`;
      const argv = what === "long" ? [token] : [token, random.chance(0.2) ? "3" : "0", pause];
      const command = what === "long" ? "long" : "work";
      const env = project.env(random.chance(0.06));
      const body = { cwd: project.dir, project: "torture", command, argv, named: {}, env };
      const started = await call(as("starter").run(body));
      if (started && "job_id" in started) ledger.started(started.job_id, token);
      return;
    }
    case "cancelJob": {
      const id = job();
      if (id && (await call(as("canceller").cancelJob(id, {}), "job.ended", "job.not-found")))
        ledger.cancelled(id);
      return;
    }
    case "withdraw": {
      const id = pending();
      if (!id || model.state.decisions.get(id)?.owner.kind !== "requester") return;
      const gone = await call(as("asker").cancelDecision(id, {}), "decision.already-resolved");
      if (gone) ledger.withdrawn(id);
      return;
    }
    case "pause": {
      const id = job();
      if (!id || !(await call(as("pauser").suspendJob(id), "job.ended", "job.not-found"))) return;
      await call(as("pauser").resumeJob(id, {}), "job.ended", "job.not-found", "job.not-resumable");
      return;
    }
    case "delete":
      return remove(job());
  }

  async function answer(id: DecisionId, by: string): Promise<void> {
    const options = model.state.decisions.get(id)?.options.length ?? 1;
    const body = { choices: [[random.int(1, options)]], message: `by ${by}` };
    const result = await call(
      as(by).resolveDecision(id, body),
      "decision.already-resolved",
      "decision.not-found",
    );
    if (result) ledger.won(result.decision, by);
  }

  async function wait(id: DecisionId): Promise<void> {
    const settled = await call(as("waiter").awaitDecision(id, {}));
    if (settled?.answer) ledger.told(id, settled.answer);
  }

  async function remove(id: JobId | undefined): Promise<void> {
    const known = id && model.state.jobs.get(id);
    if (!known || !hasEnded(known)) return;
    ledger.deleting(known.id);
    const gone = await call(
      as("cleaner")
        .deleteJob(known.id)
        .then(() => true),
      "job.not-ended",
      "job.not-found",
    );
    if (gone) ledger.deleted(known.id);
  }
}

/** What the call was told; null if it was refused as it may be, or if the daemon ended under it. */
async function told<T>(
  { counts, ledger }: World,
  life: Life,
  work: Promise<T>,
  allowed: RefusalCode[],
  onAcknowledged: () => void,
): Promise<T | null> {
  counts.calls += 1;
  try {
    const result = await work;
    counts.acknowledged += 1;
    onAcknowledged();
    return result;
  } catch (error) {
    if (error instanceof Refusal && allowed.includes(error.code)) {
      counts.conflicts += 1;
      const { answer } = (error.details ?? {}) as { answer?: Answer | null };
      const id = /^dec-\S+/.exec(error.message)?.[0];
      if (error.code === "decision.already-resolved" && answer && id) ledger.told(id as DecisionId, answer);
      return null;
    }
    if (!life.ending) throw error;
    const isRefusal = error instanceof Refusal && error.code !== "daemon.stopping";
    assert.ok(!isRefusal, `refused while the daemon ended: ${error}`);
    counts.unknown += 1;
    return null;
  }
}

function question({ random, token }: World) {
  const name = token();
  const labels = ["one", "other", "neither", "both"].slice(0, random.int(1, 4));
  return {
    project: "torture",
    cwd: "/",
    prompt: `question ${name}`,
    options: labels.map((label) => ({ label, description: `${label} of ${name}` })),
    context: { token: name, text: "x".repeat(random.int(0, 400)) },
    urgency: random.pick(["high", "medium", "low"] as const) ?? null,
    as: random.chance(0.2) ? "an-agent" : null,
  };
}
