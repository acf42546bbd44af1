/** Logs as they grow in use: a tenth of the events are pending questions, the others are about answered ones and about jobs. */
import path from "node:path";
import { sqliteLog } from "../../src/adapters/sqlite/log.ts";
import type { Option } from "../../src/core/model/decision-types.ts";
import type { Event, Fact } from "../../src/core/model/events.ts";
import type { DecisionId, JobId } from "../../src/core/model/ids.ts";
import type { Log } from "../../src/ports.ts";
import { writeLog } from "../fakes/write-log.ts";
import { root } from "../torture/daemon.ts";

const BATCH = 1000;
/** Within the last hours: a daemon that starts with older questions first marks each of them as stale. */
const START = Date.now() - 3 * 3_600_000;
const STEP_MS = 100;

export function logIn(dir: string): Log {
  const workers = {
    store: path.join(root, "dist/sqlite-worker.cjs"),
    snapshot: path.join(root, "dist/sqlite-snapshot-worker.cjs"),
  };
  return sqliteLog({ dir, version: "0.0.0-bench", workers });
}

/** Writes a log with that many events, a tenth of which are pending decisions. */
export function writeEvents(log: Log, count: number): Promise<void> {
  return writeFacts(log, factsOf(count));
}

/** Writes a log with that many pending decisions, none of them urgent. */
export function writePending(log: Log, count: number): Promise<void> {
  return writeFacts(
    log,
    Array.from({ length: count }, (_, n) => ({ ...createdFact(n), urgency: "medium" }) as Fact),
  );
}

/** In this order, from the first event on. */
export async function writeFacts(log: Log, facts: readonly Fact[]): Promise<void> {
  for (let from = 0; from < facts.length; from += BATCH) {
    const events = facts.slice(from, from + BATCH).map((fact, n) => eventOf(fact, from + n + 1));
    await writeLog(log, events);
  }
}

export function eventOf(fact: Fact, seq: number): Event {
  return { seq, at_ms: START + seq * STEP_MS, ...fact };
}

export function createdFact(n: number): Fact {
  const who = `agent-${n % 20}`;
  const option = (label: string): Option => ({
    key: label.toLowerCase(),
    label,
    description: `${label}, and what that means in a sentence`,
    recommended: label === "Merge",
    action: { type: "answer" },
  });
  return {
    type: "decision:created",
    id: decisionId(n),
    project: `project-${n % 5}`,
    owner: { kind: "requester", id: who, name: who },
    source: "request",
    title: `Should change ${n} go in as it is, or wait for the next release?`,
    context:
      "The tests pass. It touches the parser and the store, and changes a default that two projects rely on.",
    fields: { change: n, files: ["src/parser.ts", "src/store.ts"] },
    urgency: n % 10 === 0 ? "high" : "medium",
    options: [option("Merge"), option("Wait")],
    questions: [],
    action: null,
    requested_by: who,
    template: null,
    blocks: [],
    parent: null,
    predecessor: null,
    supersedes: null,
    created_at_ms: START + n * STEP_MS,
  };
}

/** A tenth pending, four tenths about answered questions, the rest about jobs that have run. */
function factsOf(count: number): Fact[] {
  const facts: Fact[] = [];
  let n = 0;
  while (facts.length < count / 10) facts.push(createdFact(n++));
  while (facts.length < count / 2) facts.push(...answered(n++));
  while (facts.length < count) facts.push(...ran(n++));
  return facts.slice(0, count);
}

function ran(n: number): Fact[] {
  const [id, project]: [JobId, string] = [`job-${numberText(n)}`, `project-${n % 5}`];
  const names = ["install", "test", "publish"];
  const steps = names.map((name, index) => ({
    name,
    run: { type: "shell" as const, script: `npm run ${name} -- --change "\${var.change}" | tee ${name}.log` },
    depends_on: [],
    env: {},
    path: ".oj/runbooks/release.hcl",
    line: 10 + index,
  }));
  const def = {
    kind: "release",
    vars: ["change"],
    defaults: {},
    locals: {},
    steps,
    path: ".oj/runbooks/release.hcl",
    line: 8,
  };
  const at = `/home/ana/src/project-${n % 5}`;
  const created: Fact = {
    type: "job:created",
    id,
    project,
    name: `release/${n}`,
    kind: "release",
    def,
    library: { jobs: {}, agents: {}, templates: {} },
    vars: { change: String(n) },
    args: { change: String(n) },
    locals: {},
    env: {},
    invoke: at,
    root: at,
    cwd: at,
    parent: null,
    by: "ana",
    max_entries: 5,
    context_timeout_ms: 30_000,
    context_max_bytes: 65_536,
    origin: id,
  };
  const through = names.flatMap((step, index): Fact[] => [
    { type: "job:advanced", id, project, step, from: names[index - 1] ?? null, route: null, ending: null },
    { type: "step:started", job_id: id, project, step, run_id: `run-${numberText(n)}${index}`, entry: 1 },
    { type: "step:completed", job_id: id, project, step, exit_code: 0, output: `${step} is done` },
  ]);
  return [created, ...through, { type: "job:completed", id, project }];
}

export function answered(n: number): Fact[] {
  const [id, project] = [decisionId(n), `project-${n % 5}`];
  return [
    createdFact(n),
    {
      type: "decision:resolved",
      id,
      project,
      state: "resolved",
      action: { type: "answer" },
      chosen: 1,
      choices: [[1]],
      labels: ["Merge"],
      text: null,
      message: "looks good to me",
      by: "ana",
      via: "cli",
      resolved_at_ms: START + n * STEP_MS + 50,
    },
    { type: "decision:delivered", id, project, attempt: 1 },
    { type: "decision:acknowledged", id, project },
  ];
}

function decisionId(n: number): DecisionId {
  return `dec-${numberText(n)}`;
}

/** The same for the same number, different for each, and spread like random ones. */
function numberText(n: number): string {
  const mixed = (Math.imul(n + 1, 2654435761) >>> 0).toString(36).padStart(7, "z");
  return `${mixed}${n.toString(36).padStart(4, "z")}`;
}
