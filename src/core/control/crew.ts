/** What a person may ask of a crew. A crew has no steps: whatever happens to its agent happens to it. */
import { resumeAgent } from "../agent/agent.ts";
import { finishOwner } from "../agent/end.ts";
import { startAgain } from "../flow/agent-start.ts";
import { hasQuestion } from "../flow/owner.ts";
import type { Crew } from "../model/agent-types.ts";
import { crewHasEnded } from "../model/agent-types.ts";
import { Refusal } from "../model/errors.ts";
import type { Fact } from "../model/events.ts";
import type { Moment } from "../model/ids.ts";
import { draftOn } from "../model/state/draft.ts";
import { findCrew } from "../model/state/find.ts";
import type { State } from "../model/state/state.ts";
import { owe } from "../outbox/parcel.ts";

/** Ends the run and closes its terminal. */
export function cancelCrew(
  state: Readonly<State>,
  input: { id: string; by: string; reason: string | null },
  moment: Moment,
): Fact[] {
  const crew = findCrew(state, input.id);
  if (crewHasEnded(crew)) throw ended(crew, "there is nothing to cancel");
  const draft = draftOn(state, moment);
  const { by, reason } = input;
  finishOwner(draft, draft.agent(crew.agent_id), { type: "cancelled", by, reason });
  return draft.facts;
}

/** Resumes a crew that is stuck because its question was dismissed, or a failed one with a new agent. */
export function resumeCrew(
  state: Readonly<State>,
  input: { id: string; by: string; message: string | null },
  moment: Moment,
): Fact[] {
  const crew = findCrew(state, input.id);
  const { id, project, agent_id, status } = crew;
  const { by, message } = input;
  if (status === "completed" || status === "cancelled") throw ended(crew, "it can't be resumed");
  const draft = draftOn(state, moment);
  if (status === "failed") {
    const next = startAgain(draft, draft.agent(agent_id));
    draft.emit({ type: "crew:resumed", id, project, by, message, agent_id: next });
    if (message !== null)
      owe(draft, next, { decision_id: null, prompt_key: null, reply: null, text: message });
    return draft.facts;
  }
  const isAsked = hasQuestion(draft, agent_id) || isOpen(state, crew);
  if (status === "running" || isAsked) throw notResumable(state, crew);
  draft.emit({ type: "crew:resumed", id, project, by, message });
  resumeAgent(draft, agent_id, message);
  return draft.facts;
}

/**
 * Always refused. A suspended job begins no further step, but a crew has no steps, and its agent is not stopped
 * halfway.
 */
export function suspendCrew(state: Readonly<State>, input: { id: string; by: string }): Fact[] {
  const { id } = findCrew(state, input.id);
  throw new Refusal(
    "crew.unsupported",
    `${id} is a crew: it has no steps, so there is nothing to suspend`,
    `oj crew cancel ${id}`,
  );
}

/** Deletes the crew with its agents' output and its decisions. */
export function deleteCrew(
  state: Readonly<State>,
  input: { id: string; by: string },
  moment: Moment,
): Fact[] {
  const crew = findCrew(state, input.id);
  const { id, project, status } = crew;
  if (!crewHasEnded(crew))
    throw new Refusal(
      "crew.not-ended",
      `${id} is ${status}; only a crew that has ended can be deleted`,
      `oj crew cancel ${id}`,
    );
  const draft = draftOn(state, moment);
  draft.emit({ type: "crew:deleted", id, project, by: input.by });
  return draft.facts;
}

function ended({ id, status }: Crew, what: string): Refusal {
  return new Refusal(
    "crew.ended",
    `${id} has ${status === "cancelled" ? "been cancelled" : status}; ${what}`,
    `oj crew show ${id}`,
  );
}

/** What it waits for is still pending. Another request of its agent doesn't count: nobody waits for that one. */
function isOpen({ pending }: Readonly<State>, { decision_id }: Crew): boolean {
  return decision_id != null && pending.has(decision_id);
}

function notResumable(state: Readonly<State>, crew: Crew): Refusal {
  const { id, status, decision_id } = crew;
  const asked = status === "waiting" && isOpen(state, crew);
  return new Refusal(
    "crew.not-resumable",
    `${id} is ${status}${asked ? " for an answer" : ""}; there is nothing to resume`,
    asked ? `oj decision show ${decision_id}` : `oj crew show ${id}`,
  );
}
