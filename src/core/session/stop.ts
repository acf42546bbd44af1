/**
 * A session that oj did not start has stopped: its last words, as a decision. Only words can be the answer. They wait in
 * the session's queue until it is prompted again, unless its turn is held open for them.
 */
import type { Option } from "../model/decision-types.ts";
import type { Fact } from "../model/events.ts";
import type { DecisionId, Moment } from "../model/ids.ts";
import { sessionRecipient } from "../model/queue-types.ts";
import { draftOn } from "../model/state/draft.ts";
import type { State } from "../model/state/state.ts";
import { endRequest } from "../request/outcome.ts";
import { sessionName } from "../request/requester.ts";
import { questionIn } from "../text/asks.ts";
import { stoppedTitle } from "../text/title.ts";
import { sessionContext } from "./context.ts";
import { LEAVE } from "./dialog.ts";
import type { Reporter } from "./turn.ts";
import { foundSession, openRequests } from "./turn.ts";

export interface Stop {
  last_message: string;
  /** The turn stays open for the reply. */
  isHeld: boolean;
  /** It hears now what waits for it. */
  hears: boolean;
}

/**
 * Nothing is asked if a request of the session is open: that says what it waits for. Nor if it goes on with words that
 * came before it stopped.
 */
export function askStop(
  state: Readonly<State>,
  from: Reporter,
  { last_message, isHeld, hears }: Stop,
  moment: Moment,
): Fact[] {
  const { session } = from;
  const known = state.sessions.get(session);
  const found = known ? [] : foundSession(state, from);
  if (openRequests(state, session).length > 0) return found;
  if (hears && (state.queues.get(sessionRecipient(session))?.entries.length ?? 0) > 0) return found;
  const name = sessionName(session);
  const asks = questionIn(last_message) !== null;
  return [
    ...found,
    ...endStops(state, session, "it stopped again", moment),
    {
      type: "decision:created",
      id: moment.id("dec"),
      project: known?.project ?? from.project,
      owner: { kind: "requester", id: session, name },
      source: "idle",
      title: stoppedTitle(last_message),
      context: sessionContext(from, "Its own terminal waits for a prompt.", last_message),
      fields: {},
      urgency: asks ? "medium" : "low", // most people are at the terminal when it has just finished
      options: [{ ...REPLY, description: isHeld ? HELD : QUEUED, recommended: asks }, LEAVE],
      questions: [],
      action: null,
      requested_by: name,
      session,
      recipient: sessionRecipient(session),
      template: null,
      blocks: [],
      parent: null,
      predecessor: null,
      supersedes: null,
      created_at_ms: moment.at_ms,
    },
  ];
}

const REPLY: Omit<Option, "description" | "recommended"> = {
  key: "reply",
  label: "Reply",
  action: { type: "reply" },
};
const HELD = "It continues with your words";
const QUEUED = "It reads your words with its next prompt";

/** The session has continued, or is over. */
export function endStops(state: Readonly<State>, session: string, reason: string, moment: Moment): Fact[] {
  const draft = draftOn(state, moment);
  for (const id of openStops(state, session)) {
    const decision = state.decisions.get(id);
    if (decision && !decision.held)
      endRequest(draft, decision, { state: "withdrawn", reason, by: "terminal" });
  }
  return draft.facts;
}

/** At most one, unless an answer is on hold while it stops again. */
export function openStops(state: Readonly<State>, session: string): DecisionId[] {
  return [...state.pending].filter((id) => {
    const decision = state.decisions.get(id);
    return decision?.session === session && decision.source === "idle";
  });
}
