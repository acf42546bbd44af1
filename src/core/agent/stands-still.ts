/**
 * Asks a person about an agent that stands still: its job or crew counts as running, but nothing is on its way to it
 * and nobody is asked.
 */

import { hasQuestion, jobAt } from "../flow/owner.ts";
import type { Agent } from "../model/agent-types.ts";
import { endsWithTurn } from "../model/clients.ts";
import type { AgentId } from "../model/ids.ts";
import type { Draft } from "../model/state/draft.ts";
import { awaitedRequests } from "../request/outcome.ts";
import { promoteIfStill } from "../request/promote.ts";
import { askIfLeft } from "./dialog-left.ts";
import { dies, metError, stops } from "./occasion.ts";
import { react } from "./trigger.ts";

/**
 * The last thing that a rule about an agent does. Whatever happened before, it does what the runbook says about an
 * agent in this state.
 */
export function askIfStill(draft: Draft, id: AgentId | null): void {
  if (id === null || !draft.state.agents.has(id)) return;
  promoteIfStill(draft, id);
  const agent = draft.agent(id);
  const { status, outbox, project } = agent;
  if (isLookedAfter(draft, agent)) return;
  if (status === "prompting") askIfLeft(draft, id, null);
  else if (status === "exited" && outbox.length > 0)
    draft.emit({ type: "agent:restarting", id, project, reason: "there is a message for it" });
  else if (outbox.length > 0) return;
  else if (status === "idle" && !endsWithTurn(draft, agent)) react(draft, id, stops(agent, ""));
  else if (status === "errored" && agent.error && !endsWithTurn(draft, agent))
    react(draft, id, metError(agent.error, ""));
  else if (status === "exited") react(draft, id, dies(howItEnded(agent), ""));
}

function isLookedAfter(draft: Draft, agent: Agent): boolean {
  const { id, status, stopping, gate, cooling } = agent;
  if (status === "ended" || stopping || gate || cooling || !ownerRuns(draft, agent)) return true;
  return hasQuestion(draft, id) || awaitedRequests(draft, id).length > 0;
}

/** Whether the owner is shown as running. */
function ownerRuns(draft: Draft, agent: Agent): boolean {
  const { owner } = agent;
  if (owner.kind === "crew") return draft.crew(owner.id).status === "running";
  const job = jobAt(draft, agent);
  return job?.steps.find((it) => it.name === owner.step)?.status === "running";
}

function howItEnded({ exit }: Agent): string {
  if (exit?.signal) return `killed by ${exit.signal}`;
  return exit?.code == null ? "it could not be started" : `exit code ${exit.code}`;
}
