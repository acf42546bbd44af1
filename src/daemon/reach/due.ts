/** What a message that is owed has to show now: the decision as it stands, and whatever else is in the same message. */
import type { Decision } from "../../core/model/decision-types.ts";
import type { ReachEffect } from "../../core/model/effects.ts";
import { faceOf, firstFace, isDue } from "../../core/model/face.ts";
import type { MachineName } from "../../core/model/ids.ts";
import type { Notice } from "../../core/model/reach-types.ts";
import type { State } from "../../core/model/state/state.ts";
import type { ReachConfig } from "../../core/reach/config-types.ts";
import { mayHaveHeard } from "../../core/rights/people.ts";
import { together } from "./digest.ts";

export type Tell = Extract<ReachEffect, { type: "tell" }>;

export interface Due {
  notice: Notice;
  decisions: [Decision, ...Decision[]];
  /** What is recorded once it got through. */
  shows: Showing[];
  /** What else is in the message, and shown as it is. */
  rest: Showing[];
}

interface Showing {
  decision: Decision;
  key: string;
  face: string;
}

/** Null: nothing has to be sent or rewritten any more. */
export function dueNow(state: Readonly<State>, { decision_id, key }: Tell, now: number): Due | null {
  const decision = state.decisions.get(decision_id);
  const notice = decision?.reach?.notices.find((it) => it.key === key);
  if (!decision || !notice || !isDue(notice, decision)) return null;
  const members = together(state, decision, notice, now);
  const [first, ...rest] = members;
  const showing = (it: (typeof members)[number]): Showing => {
    const face = it.notice.shows === null ? firstFace(it.notice, it.decision) : faceOf(it.decision);
    return { decision: it.decision, key: it.notice.key, face };
  };
  return {
    notice: first.notice,
    decisions: [first.decision, ...rest.map((it) => it.decision)],
    shows: members.filter((it) => isDue(it.notice, it.decision)).map(showing),
    rest: members.filter((it) => !isDue(it.notice, it.decision)).map(showing),
  };
}

/** Whether the message is for somebody who left, or is not in the settings any more, or would change what they were sent. */
export function isForLeaver(
  state: Readonly<State>,
  settings: Settings,
  { notice: { person }, decisions }: Due,
): boolean {
  return person !== null && !decisions.every((it) => isHere(state, settings, it, person));
}

/** Of this daemon: who is asked on another machine stands in the settings there. */
interface Settings {
  config: Pick<ReachConfig, "people">;
  self: MachineName | null;
}

/** Whether a message about this decision is for somebody who is in the settings, and was so from the beginning. */
export function isHere(
  state: Readonly<State>,
  { config: { people }, self }: Settings,
  decision: Decision,
  person: string,
): boolean {
  const isElsewhere = self !== null && decision.machine !== self;
  return (isElsewhere || people.has(person)) && mayHaveHeard(state, person, decision);
}

/** Whether everything in a message still stands as it was when the message was made. */
export function stillStands({ decisions }: Readonly<State>, { decisions: shown }: Due): boolean {
  return shown.every((it) => {
    const now = decisions.get(it.id);
    return now !== undefined && faceOf(now) === faceOf(it);
  });
}

/** Messages that are sent together are sent once. */
export function lockOf(state: Readonly<State>, { decision_id, key }: Tell): string | null {
  const notice = state.decisions.get(decision_id)?.reach?.notices.find((it) => it.key === key);
  if (!notice) return null;
  const { channel, to, digest_at_ms } = notice;
  return digest_at_ms === undefined ? `${decision_id} ${key}` : `digest ${channel} ${to}`;
}
