/** A decision as a list shows it: enough to choose by, and the group that it can be answered with. */
import type { Decision } from "../model/decision-types.ts";
import type { Said } from "../rights/rule.ts";
import { saidBy } from "../rights/rule.ts";
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
> &
  Partial<Pick<Decision, "rule" | "votes">>;

/** `blocking` is there only if it is false: nothing waits for the answer yet. */
export type Brief = Omit<Listed, "rule" | "votes"> & {
  group: string;
  settled: Settled | null;
  blocking?: boolean;
  /** Where it takes several people: how many, and what they have said so far. */
  min?: number;
  said?: readonly Said[];
};

/** What a view says about that, or what the state knows. */
type Standing = { blocking?: boolean; blocks?: readonly string[]; aside?: unknown; promoted?: unknown };

export function briefOf(decision: Listed & Shape & Standing, settled: Settled | null = null): Brief {
  const { id, project, source, state, title, urgency, owner, agent_id, created_at_ms, held } = decision;
  const group = groupOf(decision);
  const brief = { id, project, source, state, title, urgency, owner, agent_id, created_at_ms, held };
  const { count } = decision;
  return {
    ...brief,
    ...(count !== undefined && count > 1 ? { count } : {}),
    ...(isQuiet(decision) ? { blocking: false } : {}),
    group,
    settled,
    ...severalIn(decision),
  };
}

/** Empty where one person is enough, as almost everywhere. */
function severalIn({ rule, votes = [] }: Partial<Pick<Decision, "rule" | "votes">>) {
  return rule?.min === undefined || rule.min < 2 ? {} : { min: rule.min, said: votes.map(saidBy) };
}

function isQuiet({ blocking, aside, promoted, blocks = [] }: Standing): boolean {
  if (blocking !== undefined) return !blocking;
  return aside !== undefined && promoted === undefined && blocks.length === 0;
}
