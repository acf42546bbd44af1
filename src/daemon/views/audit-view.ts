/** What is proven about one decision: who asked, what the card showed, who answered through which door, what came of it. */
import type { AuditView } from "../../api/api.ts";
import type { Decision } from "../../core/model/decision-types.ts";
import type { Event } from "../../core/model/events.ts";
import { cardSha256 } from "../../core/rights/card.ts";
import type { Receipt } from "../../core/roles/people.ts";
import { isReceipt } from "../passkeys/receipt.ts";

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
    erased: decision.erased ?? null,
    card_sha256: decision.erased ? null : cardSha256(decision),
    action_sha256: decision.erased ? null : (action?.sha256 ?? null),
    by: answer?.by ?? decision.ended?.by ?? null,
    via: answer?.via ?? null,
    choice: [...(answer?.labels ?? [])],
    message: answer?.message ?? null,
    answered_at_ms: answer?.resolved_at_ms ?? null,
    ran_sha256: decision.erased ? null : (answer?.input_sha256 ?? null),
    policy: answer?.policy === undefined ? null : { name: answer.policy.name, hash: answer.policy.hash },
    signed: signedIn(decision, events),
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

/** Each signature once: the last vote is also the answer, and an answer on hold is the one that goes out. */
function signedIn(decision: Decision, events: readonly Event[]): AuditView["signed"] {
  const found = new Map<string, AuditView["signed"][number]>();
  const note = (passkey: Receipt | undefined, by: string) => {
    if (!passkey || found.has(passkey.nonce)) return;
    const is_valid = decision.erased ? null : isReceipt(passkey, decision, by); // it was for what the card showed
    found.set(passkey.nonce, { by, passkey: passkey.credential, is_valid });
  };
  for (const it of events) {
    if (it.type === "decision:voted") note(it.answer.passkey, it.who);
    if (it.type === "decision:held") note(it.answer.passkey, it.answer.who ?? it.answer.by);
    if (it.type === "decision:resolved") note(it.passkey, it.who ?? it.by);
  }
  return [...found.values()];
}
