/** Who was told of a decision, as the API returns it: one entry for each person and channel, with the last that happened. */
import type { DecisionView } from "../../api/api.ts";
import type { Decision } from "../../core/model/decision-types.ts";
import { isOutcome } from "../../core/model/face.ts";
import type { Notice } from "../../core/model/reach-types.ts";

type NoticeView = DecisionView["notices"][number];

export function noticesOf({ reach, state }: Pick<Decision, "reach" | "state">): NoticeView[] {
  const found = new Map<string, NoticeView>();
  for (const notice of reach?.notices ?? []) {
    const isUntried = notice.state === "owed" && notice.error === null;
    if (isUntried && (state !== "pending" || isOutcome(notice))) continue; // nobody needs it any more, or yet
    for (const to of notice.names.length > 0 ? notice.names : [notice.to]) {
      const { kind: channel, at_ms, error } = notice;
      found.set(JSON.stringify([notice.channel, to]), {
        channel,
        to,
        state: stateOf(notice, state),
        at_ms,
        error,
      });
    }
  }
  return [...found.values()];
}

/** A message that never got through before the decision was settled is not tried any more. */
function stateOf(notice: Notice, state: Decision["state"]): Notice["state"] {
  const isGivenUp = notice.state === "owed" && state !== "pending" && !isOutcome(notice);
  return isGivenUp ? "failed" : notice.state;
}
