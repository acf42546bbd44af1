/** How facts about notices change the decision that they are about. */
import type { Decision } from "../decision-types.ts";
import { isUnroutedPromotion } from "../decision-types.ts";
import type { Stamp } from "../events.ts";
import { isDue } from "../face.ts";
import type { Notice, NoticeFact, Reach } from "../reach-types.ts";
import { countIn } from "./fold-past.ts";
import type { Folding } from "./state-types.ts";

export function foldNotice(state: Folding, fact: NoticeFact & Stamp): void {
  const decision = state.decisions.open(fact.id);
  if (!decision) return;
  countTry(state.past, decision, fact);
  decision.reach = reachAfter(decision.reach, fact);
  if (fact.type === "notice:owed" && fact.promoted && decision.promoted)
    decision.promoted = { ...decision.promoted, is_routed: true };
  noteUntold(state, decision);
}

/** Keeps track of whether a message about this decision has to be sent or rewritten. */
export function noteUntold({ routed, untold }: Folding, decision: Decision): void {
  const { id, state, reach } = decision;
  if (!reach) return;
  if (state === "pending" && !isUnroutedPromotion(decision)) routed.add(id);
  else routed.delete(id);
  if (reach.notices.some((it) => isDue(it, decision))) untold.add(id);
  else untold.delete(id);
}

function reachAfter(reach: Reach | undefined, fact: NoticeFact & Stamp): Reach {
  const { notices, missed } = reach ?? NOBODY;
  if (fact.type === "notice:owed") {
    const owed = fact.notices.map((it): Notice => ({ ...it, ...UNTRIED, at_ms: fact.at_ms }));
    return { notices: [...notices, ...owed], missed: [...missed, ...fact.missed] };
  }
  return { notices: notices.map((it) => (it.key === fact.key ? foldTry(it, fact) : it)), missed };
}

/** Counted as it happens: a notice only remembers its last try. */
function countTry(past: Folding["past"], { reach }: Decision, fact: NoticeFact): void {
  if (fact.type !== "notice:sent" && fact.type !== "notice:failed") return;
  const channel = reach?.notices.find((it) => it.key === fact.key)?.kind;
  if (channel) countIn(past, { what: fact.type === "notice:sent" ? "sent" : "failed", channel });
}

const NOBODY: Reach = { notices: [], missed: [] };

const UNTRIED = {
  state: "owed",
  attempts: 0,
  error: null,
  ref: null,
  shows: null,
  gave_up: null,
  retry_at_ms: null,
} as const;

function foldTry(notice: Notice, fact: Exclude<NoticeFact, { type: "notice:owed" }> & Stamp): Notice {
  const { at_ms } = fact;
  switch (fact.type) {
    case "notice:sent":
    case "notice:changed": {
      const { ref, shows } = fact;
      const { is_unsure: _, ...before } = notice;
      const told = { ...before, at_ms, ref, shows, attempts: 0, error: null, retry_at_ms: null };
      if (fact.type === "notice:changed") return { ...told, state: "changed" };
      return {
        ...told,
        state: "sent",
        sent_at_ms: at_ms,
        ...(fact.together ? { together: fact.together } : {}),
      };
    }
    case "notice:unsure":
      return { ...notice, is_unsure: true };
    case "notice:failed": {
      const { error, face, retry_at_ms } = fact;
      const tried = { ...notice, attempts: notice.attempts + 1, error, at_ms, retry_at_ms };
      if (retry_at_ms !== null) return tried;
      // what never arrived can't be rewritten either
      return face === null
        ? { ...tried, state: "failed", ref: null }
        : { ...tried, state: "failed", gave_up: face };
    }
    default:
      return notice; // a fact from a newer version
  }
}
