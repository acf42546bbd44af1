/** What clients were told. Whatever is in here must stay true, however often the daemon is killed. */
import assert from "node:assert/strict";
import type { DecisionView } from "../../src/api/api.ts";
import type { Answer } from "../../src/core/model/decision-types.ts";
import type { DecisionId, JobId } from "../../src/core/model/ids.ts";
import type { Job } from "../../src/core/model/job-types.ts";
import type { State } from "../../src/core/model/state/state.ts";
import type { Model } from "./model.ts";

export interface Ledger {
  created(decision: DecisionView): void;
  /** This call was told that it won. */
  won(decision: DecisionView, by: string): void;
  /** Somebody was told that this is the answer. */
  told(id: DecisionId, answer: Answer): void;
  withdrawn(id: DecisionId): void;
  started(id: JobId, token: string): void;
  cancelled(id: JobId): void;
  /** From here on the job may be gone, and its decisions with it; after `deleted` it must be. */
  deleting(id: JobId): void;
  deleted(id: JobId): void;
  /** Throws when something that was acknowledged is not in the state, or is there twice. */
  check(model: Model): void;
  counts(): Record<"created" | "won" | "withdrawn" | "started" | "cancelled" | "deleted", number>;
}

export function makeLedger(): Ledger {
  const created = new Map<DecisionId, DecisionView>();
  const winners = new Map<DecisionId, string>();
  const answers = new Map<DecisionId, Answer>();
  const withdrawn = new Set<DecisionId>();
  const started = new Map<JobId, string>();
  const cancelled = new Set<JobId>();
  const deleting = new Set<JobId>();
  const deleted = new Set<JobId>();

  function told(id: DecisionId, answer: Answer): void {
    const known = answers.get(id);
    if (known) assert.deepEqual(answer, known, `two answers to ${id} were given out`);
    else answers.set(id, answer);
  }

  function checkDecisions({ state, owners }: Model): void {
    for (const [id, was] of created) {
      const is = state.decisions.get(id);
      assert.ok(is, `${id} was acknowledged and is gone`);
      for (const key of ["title", "context", "fields", "urgency", "requested_by", "created_at_ms"] as const)
        assert.deepEqual(is[key], was[key], `${key} of ${id} has changed`);
      const labels = was.options.map((it) => it.label);
      assert.deepEqual(
        is.options.map((it) => it.label),
        labels,
        `the options of ${id} have changed`,
      );
    }
    for (const [id, answer] of answers) {
      const is = state.decisions.get(id);
      if (!is && deleting.has(owners.get(id) as JobId)) continue;
      assert.deepEqual(is?.answer, answer, `the answer to ${id} is not the one that was given out`);
    }
    for (const id of withdrawn) assert.equal(state.decisions.get(id)?.state, "withdrawn", `${id} came back`);
    onlyOnce([...state.decisions.values()].flatMap((it) => (it.source === "request" ? [it.title] : [])));
  }

  function checkJobs(state: State): void {
    for (const [id, token] of started) {
      const job = state.jobs.get(id);
      if (!job && deleting.has(id)) continue;
      assert.equal(job?.vars.token, token, `${id} was acknowledged and is gone`);
    }
    for (const id of cancelled) {
      const job = state.jobs.get(id);
      assert.ok(!job || isCancelled(job), `${id} was cancelled and is ${job?.status}`);
    }
    for (const id of deleted) assert.ok(!state.jobs.has(id), `${id} was deleted and is back`);
    onlyOnce([...state.jobs.values()].map((it) => String(it.vars.token)));
  }

  return {
    created: (decision) => void created.set(decision.id, decision),
    won(decision, by) {
      const { id, answer } = decision;
      assert.equal(answer?.by, by, `${by} was told to have won ${id}, which ${answer?.by} answered`);
      assert.ok(!winners.has(id), `${id} was won by ${winners.get(id)} and by ${by}`);
      winners.set(id, by);
      told(id, answer as Answer);
    },
    told,
    withdrawn: (id) => void withdrawn.add(id),
    started: (id, token) => void started.set(id, token),
    cancelled: (id) => void cancelled.add(id),
    deleting: (id) => void deleting.add(id),
    deleted: (id) => void deleted.add(id),
    check(model) {
      checkDecisions(model);
      checkJobs(model.state);
    },
    counts: () => ({
      created: created.size,
      won: winners.size,
      withdrawn: withdrawn.size,
      started: started.size,
      cancelled: cancelled.size,
      deleted: deleted.size,
    }),
  };
}

function isCancelled(job: Job): boolean {
  return job.cancelling !== null || job.ending?.type === "cancelled" || job.status === "cancelled";
}

function onlyOnce(names: string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    assert.ok(!seen.has(name), `"${name}" is there twice`);
    seen.add(name);
  }
}
