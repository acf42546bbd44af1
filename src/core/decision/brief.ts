/** A decision as a list shows it: enough to choose by, and the group that it can be answered with. */
import type { Decision } from "../model/decision-types.ts";
import type { Settled } from "./settled.ts";
import type { Shape } from "./similar.ts";
import { groupOf } from "./similar.ts";

type Listed = Pick<
  Decision,
  | "id"
  | "project"
  | "source"
  | "state"
  | "title"
  | "urgency"
  | "owner"
  | "agent_id"
  | "created_at_ms"
  | "held"
  | "count"
>;

export type Brief = Listed & { group: string; settled: Settled | null };

export function briefOf(decision: Listed & Shape, settled: Settled | null = null): Brief {
  const { id, project, source, state, title, urgency, owner, agent_id, created_at_ms, held } = decision;
  const group = groupOf(decision);
  const brief = { id, project, source, state, title, urgency, owner, agent_id, created_at_ms, held };
  const { count } = decision;
  return count !== undefined && count > 1
    ? { ...brief, count, group, settled }
    : { ...brief, group, settled };
}
