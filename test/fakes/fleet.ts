/** Jobs, agents and projects as the daemon describes them. */
import type { JobView, LiveAgent, ProjectFleet, StepView } from "../../src/api/api.ts";
import { NOW } from "./fake-client.ts";

export function stepView(more: Partial<StepView>): StepView {
  return {
    name: "ship",
    status: "waiting",
    started_at_ms: NOW - 60_000,
    finished_at_ms: null,
    error: null,
    exit_code: null,
    entries: 1,
    decision_id: null,
    child_id: null,
    ...more,
  };
}

export function waitingJob(more: Partial<JobView>): JobView {
  return {
    id: "job-a2b3c4d5e6",
    project: "shop",
    name: "release/1.0",
    kind: "release",
    machine: null,
    status: "waiting",
    step: "ship",
    steps: [stepView({})],
    cancelled_by: null,
    cancelling: null,
    vars: {},
    workspace: null,
    branch: null,
    pending_decision: null,
    blocked_by: [],
    error: null,
    failed_step: null,
    reason: null,
    cwd: "/shop",
    parent: null,
    by: "ana",
    created_at_ms: NOW - 120_000,
    finished_at_ms: null,
    ...more,
  };
}

export function liveAgent(more: Partial<LiveAgent>): LiveAgent {
  return {
    id: "agt-1",
    project: "shop",
    name: "builder",
    kind: "scripted",
    owner: { kind: "crew", id: "crew-1", name: "helper" },
    status: "working",
    incarnation: 1,
    conversation: null,
    decision_id: null,
    dismissed: false,
    gate: null,
    cooling_until_ms: null,
    last_message: "",
    error: null,
    exit: null,
    cwd: "/shop",
    created_at_ms: NOW - 120_000,
    changed_at_ms: NOW - 60_000,
    owed: [],
    notes: [],
    silent: null,
    prompt: null,
    hung_since_ms: null,
    queued: null,
    last_line: "",
    heard_at_ms: null,
    machine: null,
    away_since_ms: null,
    ...more,
  };
}

export const runningJob = (more: Partial<JobView>): JobView =>
  waitingJob({ status: "running", steps: [stepView({ status: "running" })], ...more });

export function fleetOf(more: Partial<ProjectFleet>): ProjectFleet {
  const none = { jobs: [], crews: [], pending: [], agents: [], owed: [], sessions: [], failed: [] };
  return { project: "shop", ...none, ...more };
}
