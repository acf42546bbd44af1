/** Runs policies over what people have answered: what they would have answered, and where they disagree. */
import type { DecisionId } from "../model/ids.ts";
import type { Policy } from "../model/policy-types.ts";
import type { State } from "../model/state/state.ts";
import { answerOf } from "./answers.ts";
import type { Look } from "./files.ts";
import type { Precedent } from "./precedents.ts";
import { fittingOn } from "./ruling.ts";

export interface Tried {
  answered: number;
  of: number;
  agreed: number;
  disagreed: { id: DecisionId; policy: string; would: string; was: string }[];
  saved_per_hour: number;
}

const HOUR_MS = 3_600_000;

/** What a policy would have answered: `was` is null if a person said the same. */
export interface Would {
  id: DecisionId;
  policy: string;
  would: string;
  was: string | null;
}

/**
 * What policies would have answered of these. A long history is tried a part at a time. Bounds are left out: they say
 * how often a policy may answer, not what.
 */
export function tryPolicies(
  state: Readonly<State>,
  history: readonly { precedent: Precedent; look: Look }[],
  policies: readonly Policy[],
): Would[] {
  return history.flatMap(({ precedent, look }): Would[] => {
    const { decision, chose } = precedent;
    const { agent_id, ...rest } = decision;
    const asked = agent_id === null ? rest : { ...rest, agent_id };
    const [best] = fittingOn(state, asked, look, policies);
    const would = best ? wouldSay(best.policy, decision) : null;
    if (!best || would === null) return [];
    const was = would === chose ? null : wasSaid(precedent);
    return [{ id: decision.id, policy: best.policy.name, would, was }];
  });
}

/** The sum of all parts. */
export function triedFrom(history: readonly { precedent: Precedent }[], would: readonly Would[]): Tried {
  const disagreed = would.flatMap(({ was, ...it }) => (was === null ? [] : [{ ...it, was }]));
  const answered = would.length;
  const times = history.map((it) => it.precedent.at_ms);
  const span_ms = times.length === 0 ? 0 : Math.max(...times) - Math.min(...times);
  const saved = answered / Math.max(1, span_ms / HOUR_MS);
  const agreed = answered - disagreed.length;
  return { answered, of: history.length, agreed, disagreed, saved_per_hour: Math.round(saved * 100) / 100 };
}

function wouldSay(policy: Policy, decision: Precedent["decision"]): string | null {
  if (policy.kind === "ask") return null;
  return policy.kind === "answer" ? answerOf(policy, decision).option : policy.kind;
}

function wasSaid({ chose, decision: { answer } }: Precedent): string {
  if (chose !== null) return chose;
  return answer?.input === undefined ? "in other words" : "approved with a change";
}
