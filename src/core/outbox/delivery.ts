/** What came of bringing an agent its parcels: each rule checks and writes in one. An agent that is gone leaves nothing to record. */

import type { Fact } from "../model/events.ts";
import type { AgentId, Moment } from "../model/ids.ts";
import type { Draft } from "../model/state/draft.ts";
import { draftOn } from "../model/state/draft.ts";
import type { State } from "../model/state/state.ts";
import { doubtParcel, owe, parcelDelivered, parcelReceived, replyDelivered, replyTaken } from "./parcel.ts";

interface Named {
  id: AgentId;
  parcel_id: string;
}

/** They are about to be said into a terminal that shows them so often. Should the daemon die, the next one can tell whether they were. */
export function saying(
  state: Readonly<State>,
  { id, parcel_id, shown }: Named & { shown: number },
  moment: Moment,
): Fact[] {
  return onAgent(state, id, moment, (draft) => {
    const { outbox, project } = draft.agent(id);
    if (outbox.some((it) => it.id === parcel_id))
      draft.emit({ type: "agent:saying", id, project, parcel_id, shown });
  });
}

/** Words went into its terminal. One whose screen is all that it has to prove anything by has `read` them with that. */
export function wordsSaid(
  state: Readonly<State>,
  { id, parcel_id, read }: Named & { read: boolean },
  moment: Moment,
): Fact[] {
  return onAgent(state, id, moment, (draft) => {
    parcelDelivered(draft, id, parcel_id);
    if (read) parcelReceived(draft, id, parcel_id);
  });
}

/** A hook's response carried these words, or it was started with them: whatever it does next, it does knowing them. */
export function wordsTold(
  state: Readonly<State>,
  { id, parcel_ids }: { id: AgentId; parcel_ids: readonly string[] },
  moment: Moment,
): Fact[] {
  return onAgent(state, id, moment, (draft) => {
    for (const it of parcel_ids) parcelDelivered(draft, id, it, true);
  });
}

/** Words that an earlier daemon meant to have said did not get there: they are owed again. */
export function wordsLost(state: Readonly<State>, { id, parcel_id }: Named, moment: Moment): Fact[] {
  return onAgent(state, id, moment, (draft) => doubtParcel(draft, id, parcel_id));
}

/** Its dialog was answered. Where no report will ever say so, the screen's reaction is the proof that it was `taken`. */
export function dialogAnswered(
  state: Readonly<State>,
  { id, parcel_id, taken }: Named & { taken: boolean },
  moment: Moment,
): Fact[] {
  return onAgent(state, id, moment, (draft) => {
    replyDelivered(draft, id, parcel_id);
    if (taken) replyTaken(draft, id, parcel_id);
  });
}

/** A program can't be told by its arguments: it hears its task when it first waits for words. */
export function oweTask(
  state: Readonly<State>,
  { id, text }: { id: AgentId; text: string },
  moment: Moment,
): Fact[] {
  return onAgent(state, id, moment, (draft) => {
    if (text !== "" && !draft.agent(id).outbox.some((it) => it.text === text))
      owe(draft, id, { decision_id: null, prompt_key: null, reply: null, text });
  });
}

function onAgent(state: Readonly<State>, id: AgentId, moment: Moment, act: (draft: Draft) => void): Fact[] {
  if (!state.agents.has(id)) return [];
  const draft = draftOn(state, moment);
  act(draft);
  return draft.facts;
}
