/** Ends an agent's work: its terminal closes, and the step or crew that it worked for ends. */

import { stepCancelled, stepCompleted, stepFailed } from "../flow/job-flow.ts";
import { jobAt, withdrawFor } from "../flow/owner.ts";
import { isChosen } from "../flow/seen.ts";
import type { Agent } from "../model/agent-types.ts";
import { crewHasEnded } from "../model/agent-types.ts";
import type { AgentId } from "../model/ids.ts";
import type { Draft } from "../model/state/draft.ts";
import { giveUpParcels } from "../outbox/parcel.ts";
import { endRequestsOf } from "../request/outcome.ts";

export type Outcome =
  | { type: "completed" }
  | { type: "failed"; error: string }
  | { type: "cancelled"; by: string; reason: string | null };

const NOTHING = { output: "", exit_code: null };

/** The agent's work is over, one way or another: its terminal closes, and its owner moves on. */
export function finishOwner(draft: Draft, agent: Agent, outcome: Outcome): void {
  const { owner, id } = agent;
  const by = outcome.type === "cancelled" ? outcome.by : undefined;
  withdrawFor(draft, id, "the agent's work is over", by === undefined ? {} : { by });
  endAgent(draft, id, outcome.type, by);
  if (owner.kind === "crew") return finishCrew(draft, agent, outcome);
  const job = jobAt(draft, agent);
  if (!job) return;
  if (outcome.type === "completed")
    stepCompleted(draft, owner.id, { ...NOTHING, output: agent.last_message });
  else if (outcome.type === "failed") stepFailed(draft, owner.id, outcome.error, NOTHING);
  else stepCancelled(draft, owner.id, { by: outcome.by, reason: outcome.reason });
}

function finishCrew(draft: Draft, agent: Agent, outcome: Outcome): void {
  if (agent.owner.kind !== "crew") return;
  const { id } = agent.owner;
  const { project } = agent;
  if (crewHasEnded(draft.crew(id))) return;
  if (outcome.type === "completed") draft.emit({ type: "crew:completed", id, project });
  else if (outcome.type === "failed")
    draft.emit({
      type: "crew:failed",
      id,
      project,
      error: outcome.error,
      ...(isChosen(draft) ? {} : { unseen: true }),
    });
  else draft.emit({ type: "crew:cancelled", id, project, by: outcome.by, reason: outcome.reason });
}

/** Stops the agent for good. One that is already gone just ends. `by` is who ends its requests. */
export function endAgent(draft: Draft, id: AgentId, reason: string, by = "oj"): void {
  const agent = draft.agent(id);
  if (agent.status === "ended" || agent.stopping === "end") return;
  const { project } = agent;
  const gone = !agent.spawned && agent.status === "exited";
  giveUpParcels(draft, id);
  draft.emit({ type: "agent:ending", id, project, reason });
  endRequestsOf(draft, id, by);
  if (gone) draft.emit({ type: "agent:ended", id, project });
}
