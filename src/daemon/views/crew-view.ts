/** Turns a crew into what the API returns. */

import type { CrewView } from "../../api/api.ts";
import type { Crew } from "../../core/model/agent-types.ts";
import { loosened } from "../../core/model/fixed.ts";
import { homeOf } from "../../core/model/state/home.ts";
import type { State } from "../../core/model/state/state.ts";

export function crewView(crew: Crew, state: Readonly<State>): CrewView {
  const { id, project, name, agent_id, args, invoke, by, status, error, created_at_ms, finished_at_ms } =
    crew;
  const agent = state.agents.get(agent_id);
  return {
    id,
    project,
    name,
    kind: agent?.name ?? name,
    machine: homeOf(state, id),
    status,
    step: null,
    steps: [],
    vars: loosened<CrewView["vars"]>(args),
    workspace: null,
    branch: null,
    pending_decision: pendingOf(crew, state),
    blocked_by: [],
    error,
    failed_step: null,
    reason: crew.reason ?? null,
    cancelled_by: crew.cancelled_by ?? null,
    cancelling: null,
    cwd: agent?.cwd ?? invoke,
    parent: null,
    by,
    created_at_ms,
    finished_at_ms,
    agent_id,
  };
}

/** The decision that the crew waits for, or one that its agent asked while it keeps working. */
function pendingOf({ decision_id, agent_id }: Crew, state: Readonly<State>): CrewView["pending_decision"] {
  const asked = [decision_id, state.agents.get(agent_id)?.decision_id];
  return asked.find((it) => it != null && state.pending.has(it)) ?? null;
}
