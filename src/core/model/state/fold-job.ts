/** How facts change a job and its steps. Only folds: the rules are in `job.ts`. */
import type { Event, JobFact, Stamp, StepFact } from "../events.ts";
import type { Changing } from "../fixed.ts";
import type { AgentId, MachineName } from "../ids.ts";
import type { Job, Step } from "../job-types.ts";

type Created = Extract<JobFact, { type: "job:created" }>;

/** Field by field: see `newDecision`. */
export function newJob(fact: Created & Stamp, machine: MachineName | undefined): Job {
  const job: Changing<Job> = {
    id: fact.id,
    project: fact.project,
    name: fact.name,
    kind: fact.kind,
    def: fact.def,
    library: fact.library,
    vars: fact.vars,
    args: fact.args,
    locals: fact.locals,
    env: fact.env,
    invoke: fact.invoke,
    root: fact.root,
    cwd: fact.cwd,
    parent: fact.parent,
    by: fact.by,
    max_entries: fact.max_entries,
    context_timeout_ms: fact.context_timeout_ms,
    context_max_bytes: fact.context_max_bytes,
    origin: fact.origin,
    status: "running",
    prepared: fact.def.workspace === undefined,
    workspace: null,
    step: null,
    steps: fact.def.steps.map((it) => newStep(it.name)),
    routes: {},
    blocked_by: [],
    ending: null,
    cancelling: null,
    error: null,
    failed_step: null,
    reason: null,
    message: null,
    created_at_ms: fact.at_ms,
    finished_at_ms: null,
  };
  if (machine !== undefined) job.machine = machine;
  if (fact.sponsor !== undefined) job.sponsor = fact.sponsor;
  return job;
}

function newStep(name: string): Step {
  return {
    name,
    status: "pending",
    run_id: null,
    entries: 0,
    started_at_ms: null,
    finished_at_ms: null,
    error: null,
    exit_code: null,
    output: "",
    decision_id: null,
    child_id: null,
    agent_id: null,
    choice: null,
  };
}

/** A job whose steps and routes are copies too. */
type ChangingJob = Omit<Changing<Job>, "steps" | "routes"> & {
  steps: Changing<Step>[];
  routes: Record<string, number>;
};

/** Copies everything that facts set, at any depth; the definition is shared. */
export function copyJob(job: Job): Changing<Job> {
  return { ...job, routes: { ...job.routes }, steps: job.steps.map((it) => ({ ...it })) };
}

/** Records that this agent does the step's work. */
export function giveAgent(job: Changing<Job>, name: string, id: AgentId): void {
  const step = (job as ChangingJob).steps.find((it) => it.name === name);
  if (step) step.agent_id = id;
}

export function foldJob(fixed: Changing<Job>, event: Event): void {
  const job = fixed as ChangingJob;
  const fact = event as (JobFact | StepFact) & Stamp;
  if (fact.type.startsWith("step:")) {
    foldStep(job, fact as StepFact & Stamp);
    return;
  }
  switch (fact.type) {
    case "job:prepared":
      job.prepared = true;
      job.workspace = fact.workspace;
      return;
    case "job:advanced":
      advance(job, fact);
      return;
    case "job:completed":
      return end(job, "completed", fact.at_ms);
    case "job:failed":
      job.error = fact.error;
      job.failed_step = fact.step;
      return end(job, "failed", fact.at_ms);
    case "job:cancelling":
      job.cancelling = { reason: fact.reason, by: fact.by };
      if (job.status !== "running") job.status = "running"; // nothing waits any longer, and on_cancel has to run
      return;
    case "job:cancelled":
      job.reason = fact.reason;
      job.cancelled_by = fact.by;
      return end(job, "cancelled", fact.at_ms);
    case "job:suspended":
      job.status = "suspended";
      return;
    case "job:resumed":
      resume(job, fact.message);
      return;
    case "job:cleaned":
      job.workspace = null;
      return;
    case "job:blocked":
      job.blocked_by = [...job.blocked_by, { decision_id: fact.decision_id, step: fact.step }];
      return;
    case "job:unblocked":
      job.blocked_by = job.blocked_by.filter(
        (it) => it.decision_id !== fact.decision_id || it.step !== fact.step,
      );
      return;
    case "job:waiting":
      job.status = "waiting";
      return;
  }
}

function end(job: ChangingJob, status: "completed" | "failed" | "cancelled", at_ms: number): void {
  job.status = status;
  job.finished_at_ms = at_ms;
  job.cancelling = null;
  job.ending = null;
}

/** A person told the job to continue, so its bounds are counted from zero again. */
function resume(job: ChangingJob, message: string | null): void {
  job.status = "running";
  job.error = null;
  job.failed_step = null;
  job.finished_at_ms = null;
  job.message = message;
  job.routes = {};
  for (const step of job.steps) step.entries = 0;
}

/** Going back to a step starts over from there: the steps after it have to be done again. */
function advance(job: ChangingJob, fact: Extract<JobFact, { type: "job:advanced" }>): void {
  const target = job.steps.findIndex((it) => it.name === fact.step);
  const from = fact.from === null ? -1 : job.steps.findIndex((it) => it.name === fact.from);
  if (fact.ending === null && target >= 0 && target <= from) {
    for (const step of job.steps.slice(target)) {
      step.status = "pending";
      step.error = null;
      step.exit_code = null;
      step.started_at_ms = null;
      step.finished_at_ms = null;
    }
  }
  if (fact.route) job.routes[fact.route] = (job.routes[fact.route] ?? 0) + 1;
  job.step = fact.step;
  job.ending = fact.ending;
  job.cancelling = null;
  if (job.status === "waiting") job.status = "running";
}

function foldStep(job: ChangingJob, fact: StepFact & Stamp): void {
  const step = job.steps.find((it) => it.name === fact.step);
  if (!step) return;
  switch (fact.type) {
    case "step:started":
      step.status = "running";
      step.run_id = fact.run_id;
      step.entries = fact.entry;
      step.started_at_ms = fact.at_ms;
      step.finished_at_ms = null;
      step.error = null;
      step.exit_code = null;
      step.output = "";
      step.decision_id = null;
      step.child_id = null;
      step.agent_id = null;
      if (job.status !== "suspended") job.status = "running";
      return;
    case "step:waiting":
      step.status = "waiting";
      step.decision_id = fact.decision_id;
      step.child_id = fact.child_id;
      if (job.status !== "suspended" && fact.decision_id !== null) job.status = "waiting";
      return;
    case "step:resumed":
      step.status = "running";
      if (job.status === "waiting") job.status = "running";
      return;
    case "step:completed":
      step.output = fact.output;
      step.exit_code = fact.exit_code;
      step.choice = fact.choice ?? null;
      return finish(job, step, "completed", fact.at_ms);
    case "step:skipped":
      step.error = fact.reason;
      return finish(job, step, "skipped", fact.at_ms);
    case "step:failed":
      step.error = fact.error;
      step.exit_code = fact.exit_code;
      step.output = fact.output;
      return finish(job, step, "failed", fact.at_ms);
    case "step:cancelled":
      return finish(job, step, "cancelled", fact.at_ms);
  }
}

function finish(job: ChangingJob, step: Changing<Step>, status: Step["status"], at_ms: number): void {
  step.status = status;
  step.finished_at_ms = at_ms;
  if (job.status === "waiting") job.status = "running";
}
