/**
 * What came of delivering parcels to an agent. Each rule checks and records in one go. If the agent no longer exists,
 * nothing is recorded.
 */

import type { Fact } from "../model/events.ts";
import type { AgentId, Moment } from "../model/ids.ts";
import type { Draft } from "../model/state/draft.ts";
import { draftOn } from "../model/state/draft.ts";
import type { State } from "../model/state/state.ts";
import { doubtParcel, parcelDelivered, parcelReceived } from "./parcel.ts";

/** Words are for one incarnation: what a process was told that died since, the next one does not know. */
interface Process {
  id: AgentId;
  incarnation: number;
}

interface Named extends Process {
  parcel_id: string;
}

/**
 * The words are about to be typed into a terminal that already shows them `shown` times. If the daemon dies, the next
 * one can tell whether they were typed.
 */
export function saying(
  state: Readonly<State>,
  { parcel_id, shown, ...process }: Named & { shown: number },
  moment: Moment,
): Fact[] {
  return onProcess(state, process, moment, (draft, id) => {
    const { outbox, project } = draft.agent(id);
    if (outbox.some((it) => it.id === parcel_id))
      draft.emit({ type: "agent:saying", id, project, parcel_id, shown });
  });
}

/**
 * Words were typed into the agent's terminal. `read`: its screen is the only proof this agent can give, so they count
 * as received.
 */
export function wordsSaid(
  state: Readonly<State>,
  { parcel_id, read, ...process }: Named & { read: boolean },
  moment: Moment,
): Fact[] {
  return onProcess(state, process, moment, (draft, id) => {
    parcelDelivered(draft, id, parcel_id);
    if (read) parcelReceived(draft, id, parcel_id);
  });
}

/** A hook's response carried these words, or the agent was started with them: whatever it does next, it knows them. */
export function wordsTold(
  state: Readonly<State>,
  { parcel_ids, ...process }: Process & { parcel_ids: readonly string[] },
  moment: Moment,
): Fact[] {
  return onProcess(state, process, moment, (draft, id) => {
    for (const it of parcel_ids) parcelDelivered(draft, id, it, true);
  });
}

/** Words that an earlier daemon believed it had said did not arrive: they are owed again. */
export function wordsLost(state: Readonly<State>, { parcel_id, ...process }: Named, moment: Moment): Fact[] {
  return onProcess(state, process, moment, (draft, id) => doubtParcel(draft, id, parcel_id));
}

function onProcess(
  state: Readonly<State>,
  { id, incarnation }: Process,
  moment: Moment,
  act: (draft: Draft, id: AgentId) => void,
): Fact[] {
  if (state.agents.get(id)?.incarnation !== incarnation) return [];
  const draft = draftOn(state, moment);
  act(draft, id);
  return draft.facts;
}
