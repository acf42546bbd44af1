/** The undo window: an answer is on hold for a moment, in which it can be taken back. Only people know about it. */

import type { Decision } from "../model/decision-types.ts";
import { Refusal } from "../model/errors.ts";
import type { Fact } from "../model/events.ts";
import type { Moment } from "../model/ids.ts";
import { findDecision } from "../model/state/find.ts";
import type { State } from "../model/state/state.ts";
import { neededFor, refuseOthers, sameAnswer } from "../rights/rule.ts";
import { describeAge } from "../text/words.ts";
import { holdAgain } from "./give.ts";
import { expiryWords } from "./settled.ts";

export function undoAnswer(
  state: Readonly<State>,
  { id: text, by, who }: { id: string; by: string; who?: string | null },
  moment: Moment,
): Fact[] {
  const decision = findDecision(state, text);
  const { id, project, held, answer } = decision;
  refuseOthers(state, decision, who ?? null);
  if (neededFor(decision) > 1 && decision.state === "pending")
    return takeBack(state, decision, { by, who: who ?? "" }, moment);
  if (held) return [{ type: "decision:undone", id, project, by }];
  const isExpired = decision.state === "expired";
  const why = !answer
    ? "nobody has answered it"
    : isExpired
      ? `it expired: ${expiryWords(decision)}`
      : `the answer was sent ${describeAge(moment.at_ms - answer.resolved_at_ms)}`;
  throw new Refusal(
    "decision.not-held",
    `${id} has no answer to take back: ${why}`,
    `oj decision show ${id}`,
  );
}

/**
 * Where it takes several, each takes back what they said themselves; what is on hold then isn't decided any more, unless
 * enough of the others agree on something else.
 */
export function takeBack(
  state: Readonly<State>,
  decision: Decision,
  { by, who }: { by: string; who: string },
  { at_ms }: Moment,
): Fact[] {
  const { id, project, held, votes = [] } = decision;
  const vote = votes.find((it) => it.who === who);
  if (!vote)
    throw new Refusal(
      "decision.not-held",
      `${who} has said nothing about ${id} that could be taken back`,
      `oj decision show ${id}`,
    );
  const taken: Fact = { type: "decision:unvoted", id, project, who, by };
  if (held === null || !sameAnswer(held.answer, vote.answer)) return [taken];
  const undone: Fact = { type: "decision:undone", id, project, by };
  return [taken, undone, ...holdAgain(state, decision, { without: who, at_ms })];
}
