/** Turns failures that nobody has seen into what the API returns. */
import type { FailedRun } from "../../api/api.ts";
import type { Crew } from "../../core/model/agent-types.ts";
import type { Job } from "../../core/model/job-types.ts";
import { findRun, isCrew } from "../../core/model/state/find.ts";
import type { State } from "../../core/model/state/state.ts";

const TAIL_LINES = 40;
const TAIL_CHARACTERS = 8000;
/** The most that are listed: whoever has more is better served by `oj job list`. */
const MOST = 200;

/** The newest first. */
export function failedRuns(state: Readonly<State>, project: string | undefined): FailedRun[] {
  return [...state.unseen]
    .reverse()
    .map((id) => findRun(state, id))
    .filter((it) => project === undefined || it.project === project)
    .slice(0, MOST)
    .map((it) => failedView(it, state));
}

function failedView(run: Job | Crew, state: Readonly<State>): FailedRun {
  const { id, project, name, by, created_at_ms } = run;
  const step = isCrew(run) ? undefined : run.steps.find((it) => it.name === run.failed_step);
  const agent_id = isCrew(run) ? run.agent_id : (step?.agent_id ?? null);
  const said = agent_id === null ? "" : (state.agents.get(agent_id)?.last_message ?? "");
  return {
    id,
    project,
    name,
    step: isCrew(run) ? null : run.failed_step,
    error: run.error ?? "",
    exit_code: step?.exit_code ?? null,
    tail: endOf(step?.output || said),
    agent_id,
    by,
    created_at_ms,
    failed_at_ms: run.finished_at_ms ?? created_at_ms,
  };
}

function endOf(text: string): string {
  return text.trimEnd().slice(-TAIL_CHARACTERS).split("\n").slice(-TAIL_LINES).join("\n");
}
