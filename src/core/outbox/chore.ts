/** Records chores that failed and will be retried, and chores that are late. */
import type { Effect } from "../model/effects.ts";
import { effectKey, retryDelayMs } from "../model/effects.ts";
import type { Fact } from "../model/events.ts";
import type { AgentId, Moment } from "../model/ids.ts";
import type { State } from "../model/state/state.ts";

/** The chore failed for the `attempt`th time. The record says when it is due again. */
export function choreFailed(
  { effect, attempt, error }: { effect: Effect; attempt: number; error: string },
  { at_ms }: Pick<Moment, "at_ms">,
): Fact[] {
  return [
    {
      type: "effect:failed",
      project: effect.project,
      key: effectKey(effect),
      effect: effect.type,
      job_id: "job_id" in effect ? effect.job_id : null,
      agent_id: "agent_id" in effect ? effect.agent_id : null,
      decision_id: effect.type === "deliver" ? effect.parcel.decision_id : null,
      attempt,
      error,
      retry_at_ms: at_ms + retryDelayMs(attempt, effect.type),
    },
  ];
}

/** A delivery takes longer than it should; `waits_for` says what it waits for. */
export function parcelLate(
  state: Readonly<State>,
  { id: agent_id, parcel_id, waits_for }: { id: AgentId; parcel_id: string; waits_for: string },
): Fact[] {
  const agent = state.agents.get(agent_id);
  const parcel = agent?.outbox.find((it) => it.id === parcel_id);
  if (!agent || !parcel) return [];
  const { project, incarnation } = agent;
  const effect: Effect = { type: "deliver", agent_id, project, incarnation, parcel };
  const { decision_id } = parcel;
  return [
    {
      type: "effect:late",
      project,
      key: effectKey(effect),
      effect: "deliver",
      agent_id,
      decision_id,
      waits_for,
    },
  ];
}
