/** What a message must show of a decision now, and which messages don't. */
import type { Decision } from "./decision-types.ts";
import { isBlocking } from "./decision-types.ts";
import type { Notice } from "./reach-types.ts";

type Shown = Pick<
  Decision,
  | "state"
  | "held"
  | "delivery"
  | "claimed"
  | "answer"
  | "ended"
  | "reach"
  | "aside"
  | "promoted"
  | "blocks"
  | "votes"
>;

/** Changes whenever messages must be rewritten. */
export function faceOf(decision: Omit<Shown, "ended" | "reach">): string {
  const { state, held, delivery, claimed, answer, votes = [] } = decision;
  if (state === "pending" && held) return `on-hold ${held.answer.by}`;
  const said = votes.map((it) => ` ${it.who}=${it.answer.labels.join()}`).join("");
  if (state === "pending") return `${claimed ? `claimed ${claimed.by}` : openFace(decision)}${said}`;
  const isSent = state === "resolved" || (state === "expired" && answer !== null);
  if (!isSent) return state;
  const arrived = delivery.state === "acknowledged" || delivery.state === "failed";
  return arrived ? `${state} ${delivery.state}` : state;
}

const OPEN = "pending";

/** What blocks nothing says so, until it does. */
function openFace(decision: Omit<Shown, "ended" | "reach">): string {
  return isBlocking(decision) ? OPEN : "pending aside";
}

/** Whether somebody may still answer. A new message is sent only then. */
export function isOpen({ state, held }: Pick<Decision, "state" | "held">): boolean {
  return state === "pending" && held === null;
}

/** Whether this notice has to be sent or rewritten. */
export function isDue(notice: Notice, decision: Shown): boolean {
  if (notice.shows === null)
    return (
      notice.state === "owed" &&
      (isOutcome(notice)
        ? isNews(notice, decision)
        : isWanted(notice, decision) || isClosing(notice, decision))
    );
  const face = faceOf(decision);
  return notice.ref !== null && notice.shows !== face && notice.gave_up !== face;
}

function isWanted({ is_log }: Notice, decision: Shown): boolean {
  return isOpen(decision) || is_log === true;
}

/** It may have arrived, and the decision was settled before anybody knew: whoever has it must hear that it is over. */
export function isClosing({ shows, is_unsure, is_log }: Notice, { state }: Pick<Decision, "state">): boolean {
  return shows === null && is_unsure === true && is_log !== true && state !== "pending";
}

/** It tells whoever asked what became of it, and asks nobody for anything. */
export function isOutcome({ reason }: Pick<Notice, "reason">): boolean {
  return reason === "outcome";
}

/** Whoever ended it themself, or hears of it because they were asked as well, is not told again. */
function isNews({ channel, to, person }: Notice, { state, answer, ended, reach }: Shown): boolean {
  if (state === "pending" || state === "superseded") return false;
  if (person === (answer?.by ?? ended?.by)) return false;
  return !reach?.notices.some((it) => it.channel === channel && it.to === to && it.shows !== null);
}

/** What a notice shows once it was sent. A log begins at the beginning, whatever has happened since. */
export function firstFace(notice: Pick<Notice, "is_log">, decision: Shown): string {
  if (!notice.is_log) return faceOf(decision);
  const { promoted: _, ...asAsked } = decision;
  return openFace(asAsked);
}
