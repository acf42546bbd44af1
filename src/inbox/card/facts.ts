/** Who asks, where, since when, and what became of it. */
import type { DecisionView } from "../../api/api.ts";
import { resultOf } from "../../core/decision/settled.ts";
import type { Fact } from "./card.ts";
import { timeWords } from "./times.ts";
import { toldWords } from "./told.ts";
import {
  claimWords,
  closingWords,
  deadlineWords,
  escalationWords,
  isQuiet,
  meanwhileWords,
  staleWords,
} from "./waits.ts";
import { answerWords, asker, awayWords, count as counted, deliveryWords, standing } from "./words.ts";

/** `agent` is the agent's name, `folder` that of a session; null if unknown. */
export function factsOf(
  decision: DecisionView,
  { agent, folder }: { agent: string | null; folder: string | null },
  now: number,
): Fact[] {
  const { answer, ended, owner, agent_id, session } = decision;
  const isExpired = decision.state === "expired";
  const meanwhile = meanwhileWords(decision);
  const when = (ms: number) => timeWords(ms, now);
  const rows: [name: string, text: string | null, id?: string | null][] = [
    [
      isExpired ? "by default" : "answer",
      answer && (decision.questions.length > 1 ? resultOf(decision) : answerWords(decision)),
    ],
    ["message", answer?.message ?? null],
    [
      "answered by",
      isExpired ? null : answer && `${answer.by} (${answer.via}), ${when(answer.resolved_at_ms)}`,
    ],
    ["on hold", heldFact(decision)],
    ["delivery", answer && deliveryWords(decision)],
    ["ended", ended || decision.state === "superseded" ? standing(decision, now) : null],
    ["aside", meanwhile === null ? null : `goes on meanwhile: ${meanwhile}`],
    [
      "promoted",
      decision.promoted
        ? `${when(decision.promoted.at_ms)}, it blocks work: ${decision.promoted.reason}`
        : null,
    ],
    ["claimed", claimWords(decision, now)],
    ["deadline", deadlineWords(decision, now)],
    ["closes", closingWords(decision, now)],
    ["escalation", escalationWords(decision, now)],
    ["stale", staleWords(decision, now)],
    ["asked by", asker({ ...decision, agent_id: null }), owner.kind === "requester" ? null : owner.id],
    ["agent", agent_id && (agent === null ? agent_id : `${agent} (${agent_id})`)],
    ["machine", awayWords(decision)],
    ["session", session],
    ["folder", folder],
    ["asked", when(decision.created_at_ms)],
    ["again", repeatWords(decision)],
    ["told", toldWords(decision)],
    ["not notified", decision.not_notified],
    [
      "decision",
      `${decision.id}, ${decision.source}, ${decision.urgency} urgency, ${decision.state}${isQuiet(decision) ? ", blocks nothing yet" : ""}`,
      decision.id,
    ],
    ["erased", decision.erased ? `by ${decision.erased.by}, ${when(decision.erased.at_ms)}` : null],
    ["project", decision.project],
    ["template", decision.template],
    ["blocks", decision.blocks.join(", ")],
    ["work", decision.aftermath],
    ["part of", decision.parent, decision.parent?.startsWith("dec-") ? decision.parent : null],
    ["follows", decision.predecessor, decision.predecessor],
    ["replaces", decision.supersedes, decision.supersedes],
    ["replaced by", decision.superseded_by, decision.superseded_by],
    ["bead", decision.bead],
  ];
  return rows.flatMap(([name, text, id = null]) =>
    text === null || text === "" ? [] : [{ name, text, id }],
  );
}

/** "Build it, by ana (web): not sent yet". */
function heldFact({ held }: DecisionView): string | null {
  return held && `${answerWords(held)}, by ${held.answer.by} (${held.answer.via}): not sent yet`;
}

/** "2 times more: each gets the answer"; once there is one, how many are known to have it, and who never got it. */
function repeatWords({ count = 1, repeats = [], state }: DecisionView): string | null {
  if (count < 2) return null;
  const times = `${counted(count - 1, "time")} more`;
  if (state === "pending") return `${times}: each gets the answer`;
  const of = (how: string) => repeats.filter((it) => it.state === how).length;
  const [have, lost] = [of("acknowledged"), of("failed")];
  if (have === count - 1) return `${times}: each has the answer`;
  const told = [have > 0 ? `known to have it: ${have}` : "", lost > 0 ? `it did not reach ${lost}` : ""];
  return [`${times}: the answer is for each`, ...told.filter(Boolean)].join("; ");
}
