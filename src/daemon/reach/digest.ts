/** Which decisions go together in one message. */

import type { Decision } from "../../core/model/decision-types.ts";
import { attentionOf, URGENCIES } from "../../core/model/decision-types.ts";
import { isClosing, isDue, isOpen } from "../../core/model/face.ts";
import type { Notice } from "../../core/model/reach-types.ts";
import type { State } from "../../core/model/state/state.ts";
import { mayHaveHeard } from "../../core/rights/people.ts";

interface Member {
  decision: Decision;
  notice: Notice;
}

/** No more than a person reads; the rest goes into the next one. */
const MOST = 50;

/** The decision itself, with all others that go into the same message: urgent ones first, then the oldest. */
export function together(
  state: Readonly<State>,
  decision: Decision,
  notice: Notice,
  now: number,
): [Member, ...Member[]] {
  const self = { decision, notice };
  if (notice.digest_at_ms === undefined || isClosing(notice, decision)) return [self];
  if (notice.shows !== null) return sameMessage(state, self);
  const { person } = notice;
  const isTheirs = (it: Decision) => person === null || mayHaveHeard(state, person, it);
  const others: Member[] = [];
  for (const id of state.untold) {
    const other = id === decision.id ? undefined : state.decisions.get(id);
    const theirs = other?.reach?.notices.find((it) => waitsToo(it, notice, now) && isDue(it, other));
    // what somebody before them with their name was owed holds up nothing
    if (other && theirs && isOpen(other) && isTheirs(other) === isTheirs(decision))
      others.push({ decision: other, notice: theirs });
  }
  const all = [self, ...others].sort(byUrgency);
  return all.slice(0, MOST) as [Member, ...Member[]];
}

function waitsToo(it: Notice, { channel, to }: Notice, now: number): boolean {
  return it.channel === channel && it.to === to && it.shows === null && (it.digest_at_ms ?? Infinity) <= now;
}

/** Everything in a message that was sent, whatever became of it. What was deleted since is left out. */
function sameMessage(state: Readonly<State>, self: Member): [Member, ...Member[]] {
  const { ref, channel, together: ids = [] } = self.notice;
  const found = ids.flatMap((id): Member[] => {
    const decision = state.decisions.get(id);
    const notice = decision?.reach?.notices.find((it) => it.ref === ref && it.channel === channel);
    return decision && notice ? [{ decision, notice }] : [];
  });
  return found.length > 0 ? (found as [Member, ...Member[]]) : [self];
}

function byUrgency(a: Member, b: Member): number {
  const rank = ({ decision }: Member) => URGENCIES.indexOf(attentionOf(decision));
  return rank(a) - rank(b) || a.decision.created_at_ms - b.decision.created_at_ms;
}
