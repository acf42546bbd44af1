/** The log as a client sees it: every event that ever happened, folded from the first by the product's own `apply`. */
import assert from "node:assert/strict";
import type { Event } from "../../src/core/model/events.ts";
import type { DecisionId, RunId } from "../../src/core/model/ids.ts";
import type { State } from "../../src/core/model/state/state.ts";
import { apply, emptyState } from "../../src/core/model/state/state.ts";
import type { Life, Place } from "./daemon.ts";
import { callerOf } from "./daemon.ts";

/** Events read once more after a restart: the log must still say the same. */
const READ_AGAIN = 30;
/** What is lost never comes, so this is for machines that are starved: a shell once took 38 s to begin. */
export const PATIENCE_MS = 90_000;

/** One run of a step, from `step:started` to whatever ended it. */
export interface Run {
  run_id: RunId;
  kind: string;
  step: string;
  started: Event;
  ended: Event | null;
  /** The next event about the same job after it ended. */
  next: Event | null;
}

export interface Model {
  events: readonly Event[];
  state: State;
  runs: ReadonlyMap<RunId, Run>;
  /** Who asked, for every decision that ever existed. */
  owners: ReadonlyMap<DecisionId, string>;
  /** Listens to a daemon until it ends or `stop` is called, from where the previous one left off. */
  follow(life: Life, onEvent: (event: Event) => void): () => Promise<void>;
  /** Returns when all events up to `seq` are in. */
  reach(seq: number): Promise<void>;
}

export function makeModel(place: Place): Model {
  const events: Event[] = [];
  const state = emptyState();
  const runs = new Map<RunId, Run>();
  const owners = new Map<DecisionId, string>();
  const current = new Map<string, Run>();
  const settled = new Set<string>();
  let wake = () => {};
  let failure: Error | null = null;

  function add(event: Event): void {
    const known = events[event.seq - 1];
    if (known) {
      assert.deepEqual(event, known, `event ${event.seq} is not what it was before the restart`);
      return;
    }
    assert.equal(event.seq, state.seq + 1, "an event is missing in the stream");
    refuseSecond(event);
    events.push(event);
    if (event.type === "decision:created") owners.set(event.id, event.owner.id);
    noteRun(event);
    apply(state, event);
    wake();
  }

  /** A decision is asked once and settled once. */
  function refuseSecond(event: Event): void {
    if (event.type === "decision:created") assert.ok(!state.decisions.has(event.id), `${event.id} twice`);
    const settles = ["resolved", "superseded", "withdrawn", "expired"].some(
      (it) => event.type === `decision:${it}`,
    );
    if (!settles) return;
    const { id } = event as { id: string };
    assert.ok(!settled.has(id), `${id} was settled a second time: ${JSON.stringify(event)}`);
    settled.add(id);
  }

  function noteRun(event: Event): void {
    const about = event.type.startsWith("step:")
      ? (event as { job_id: string }).job_id
      : event.type.startsWith("job:")
        ? (event as { id: string }).id
        : null;
    if (about === null) return;
    const run = current.get(about);
    if (run?.ended && !run.next) run.next = event;
    if (event.type === "step:started") {
      const { run_id, step, job_id } = event;
      assert.ok(!runs.has(run_id), `${run_id} was started twice`);
      const kind = state.jobs.get(job_id)?.kind ?? "";
      const started = { run_id, kind, step, started: event, ended: null, next: null };
      runs.set(run_id, started);
      current.set(about, started);
    } else if (event.type.startsWith("step:") && run && !run.ended) {
      const { step } = event as { step: string };
      if (step === run.step) run.ended = event;
    }
  }

  return {
    events,
    state,
    runs,
    owners,
    follow(life, onEvent) {
      const stop = new AbortController();
      const known = state.seq;
      const listen = async () => {
        const after = Math.max(0, known - READ_AGAIN);
        for await (const event of callerOf(place, "model", stop.signal).events({ after })) {
          add(event);
          if (event.seq > known) onEvent(event);
        }
      };
      const ended = listen().catch((error: Error) => {
        const isBroken = !(error instanceof assert.AssertionError);
        if (isBroken && (life.ending || stop.signal.aborted)) return;
        failure = error;
        wake();
      });
      return async () => {
        stop.abort();
        await ended;
        if (failure) throw failure;
      };
    },
    async reach(seq) {
      const deadline = Date.now() + PATIENCE_MS;
      while (state.seq < seq) {
        if (failure) throw failure;
        assert.ok(Date.now() < deadline, `the stream stays at ${state.seq}, the daemon is at ${seq}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
          setTimeout(resolve, 1000).unref();
        });
      }
    },
  };
}
