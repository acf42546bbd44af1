/** What is proven about one decision: who asked, what the card showed, who answered through which door, what came of it. */
import type { AuditView } from "../../api/api.ts";
import type { Decision } from "../../core/model/decision-types.ts";
import type { Event } from "../../core/model/events.ts";
import { canonical, sha256 } from "../../core/text/hash.ts";

export function auditView(decision: Decision, events: readonly Event[]): AuditView {
  const { id, project, title, state, source, owner, agent_id, created_at_ms, action, delivery } = decision;
  const answer = decision.answer ?? decision.held?.answer ?? null;
  return {
    id,
    project,
    title,
    state,
    source,
    requester: decision.requested_by ?? owner.name,
    agent_id,
    owner: owner.id,
    machine: decision.machine ?? null,
    created_at_ms,
    card_sha256: sha256(canonical(cardOf(decision))),
    action_sha256: action?.sha256 ?? null,
    by: answer?.by ?? decision.ended?.by ?? null,
    via: answer?.via ?? null,
    choice: [...(answer?.labels ?? [])],
    message: answer?.message ?? null,
    answered_at_ms: answer?.resolved_at_ms ?? null,
    ran_sha256: answer?.input_sha256 ?? null,
    policy: answer?.policy === undefined ? null : { name: answer.policy.name, hash: answer.policy.hash },
    delivery: { state: delivery.state, at_ms: delivery.at_ms },
    events: events.map(({ seq, at_ms, type, machine, ...rest }) => {
      const { by, via, who, answer } = rest as Partial<Record<"by" | "via" | "who" | "answer", unknown>>;
      // each of several people is named as the rule knows them
      const vote =
        type === "decision:voted" ? { by: who, via: (answer as { via?: unknown })?.via } : { by, via };
      const text = (it: unknown) => (typeof it === "string" ? it : null);
      return { seq, at_ms, type, by: text(vote.by), via: text(vote.via), machine: machine ?? null };
    }),
  };
}

/** What a person was shown before they answered; nothing of it changes afterwards. */
function cardOf({ title, context, fields, questions, action, options, rule }: Decision) {
  const shown = options.map(({ key, label, description, recommended }, n) => ({
    number: n + 1,
    key,
    label,
    description,
    recommended,
  }));
  const card = { title, context, fields, questions, action, options: shown };
  return rule ? { ...card, rule } : card;
}
