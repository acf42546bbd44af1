/**
 * What tests of core's rules need: moments with ids that count up, short job definitions, and a state to play rules on.
 */
import { clients } from "../../src/agents/known/clients.ts";
import type { JobInput } from "../../src/core/control/job.ts";
import { shellEnded, startJob, workspaceMade } from "../../src/core/control/job.ts";
import type { Event, Fact } from "../../src/core/model/events.ts";
import type { JobId, Moment } from "../../src/core/model/ids.ts";
import type { Job, Workspace } from "../../src/core/model/job-types.ts";
import type { DecisionDef, JobDef, StepDef, StepRun } from "../../src/core/model/runbook.ts";
import type { State, WholeState } from "../../src/core/model/state/state.ts";
import { apply, emptyState } from "../../src/core/model/state/state.ts";
import type { Requester, RequestInput } from "../../src/core/request/types.ts";
import { BUILTIN_TEMPLATES } from "../../src/core/template/builtin-templates.ts";

type StepInput = Partial<Omit<StepDef, "run" | "name">> & {
  run?: StepRun | string;
  decision?: Partial<DecisionDef>;
};

/** `jobDef({ a: {}, b: { run: "exit 1" } })`: steps by name, with a shell step as the default. */
export function jobDef(steps: Record<string, StepInput>, more: Partial<JobDef> = {}): JobDef {
  return {
    kind: "work",
    vars: [],
    defaults: {},
    locals: {},
    path: "work.hcl",
    line: 1,
    ...more,
    steps: Object.entries(steps).map(([name, { run, decision, ...rest }], index) => ({
      name,
      depends_on: [],
      env: {},
      path: "work.hcl",
      line: index + 2,
      ...rest,
      run: decision
        ? {
            type: "decision",
            decision: { prompt: "Well?", options: [{ key: "yes" }, { key: "no" }], ...decision },
          }
        : typeof run === "object"
          ? run
          : { type: "shell", script: run ?? "true" },
    })),
  };
}

/** Somebody who asks: an agent or script by its name, or a person. */
export function asker(name: string, more: Partial<Requester> = {}): Requester {
  return { name, is_agent: true, agent_id: null, session: null, ...more };
}

/** Everybody who might be mistaken for `asker("bot")`. */
export const OTHERS: Partial<RequestInput>[] = [
  { requester: asker("other") },
  { requester: asker("bot", { is_agent: false }) },
  { requester: asker("bot", { agent_id: "agt-1" }) },
  { requester: asker("bot", { session: "s" }) },
  { project: "elsewhere" },
];

export function jobInput(def: JobDef, more: Partial<JobInput> = {}): JobInput {
  return {
    project: "shop",
    def,
    library: { jobs: {}, agents: {}, templates: {} },
    args: {},
    vars: {},
    env: {},
    invoke: "/home",
    root: "/home",
    by: "ana",
    max_entries: 5,
    context_timeout_ms: 30_000,
    context_max_bytes: 65_536,
    ...more,
  };
}

/** A valid request from an agent. */
export function requestInput(more: Partial<RequestInput> = {}): RequestInput {
  return {
    project: "shop",
    requester: asker("bot"),
    prompt: "Which database?",
    options: [
      { label: "Postgres", description: "the usual" },
      { label: "SQLite", description: null },
    ],
    recommend: null,
    context: "",
    fields: {},
    urgency: null,
    template: null,
    blocks: [],
    on_cancel: null,
    parent: null,
    predecessor: null,
    file_check: true,
    request_key: null,
    runbook: { templates: [...BUILTIN_TEMPLATES], requests: { file_check: {} } },
    runbook_problems: 0,
    ...more,
  };
}

/** A state with a clock that advances by a second per rule, and every event that led to the state. */
export function world(): World {
  let at_ms = 1_000_000;
  let ids = 0;
  const state = emptyState();
  const events: Event[] = [];
  const tick = (): Moment => {
    at_ms += 1000;
    return { at_ms, id: (kind) => `${kind}-${String(++ids).padStart(4, "0")}`, clients };
  };
  const play = (rule: (state: State, moment: Moment) => Fact[]) => {
    const moment = tick();
    return rule(state, moment).map((fact) => {
      const event = { seq: state.seq + 1, at_ms: moment.at_ms, ...fact } as Event;
      apply(state, event);
      events.push(event);
      return event;
    });
  };
  return {
    state,
    events,
    play,
    start(def, more) {
      const id: JobId = `job-${String(++ids).padStart(4, "0")}`;
      play((it, moment) => startJob(it, { ...jobInput(def, more), id }, moment));
      return id;
    },
    job(id) {
      const job = state.jobs.get(id);
      if (!job) throw new Error(`no ${id}`);
      return job;
    },
    shell(id, exit_code = 0, output = "") {
      const job = this.job(id);
      const run_id = job.steps.find((it) => it.name === job.step)?.run_id;
      if (!run_id) throw new Error(`${id} runs nothing`);
      return play((it, moment) =>
        shellEnded(it, { job_id: id, run_id, exit_code, error: null, output }, moment),
      );
    },
    prepared(id) {
      const workspace: Workspace = {
        type: "folder",
        path: "/ws",
        branch: null,
        repository: null,
        start: null,
      };
      return play((it, moment) => workspaceMade(it, { id, workspace }, moment));
    },
    pending() {
      return [...state.pending];
    },
  };
}

export interface World {
  state: WholeState;
  events: Event[];
  play(rule: (state: State, moment: Moment) => Fact[]): Event[];
  start(def: JobDef, more?: Partial<JobInput>): JobId;
  job(id: JobId): Job;
  /** The current step's shell ends with this result. */
  shell(id: JobId, exit_code?: number, output?: string): Event[];
  prepared(id: JobId): Event[];
  pending(): string[];
}

/** `a:completed b:skipped`: the state of a job's steps, in one line. */
export function stepLine(job: Job): string {
  return job.steps.map((it) => `${it.name}:${it.status}`).join(" ");
}
