/**
 * Turns of a session that oj did not start: a person's prompt begins one, and it may end once a decision was offered in
 * it. It is kept from ending at most three times; then it may end, and that is recorded.
 */
import type { Decision } from "../model/decision-types.ts";
import type { Fact } from "../model/events.ts";
import type { DecisionId } from "../model/ids.ts";
import { sessionRecipient } from "../model/queue-types.ts";
import type { HookedSession } from "../model/session-types.ts";
import type { State } from "../model/state/state.ts";
import { tellRequester } from "../outbox/queue.ts";
import { promoteForSession } from "../request/promote.ts";

const MAX_BLOCKS = 3;
const MAX_SESSIONS = 10_000;

/** Who reports, and from where. The project is looked up only if the session is new. */
export interface Reporter {
  session: string;
  project: string;
  cwd: string;
  /** The client's process, if the hook reports it. */
  client?: string | null;
}

/** A hook reports the session: what it asked before that is its own from now on. */
export function foundSession(state: Readonly<State>, from: Reporter): Fact[] {
  const { session: id, project, cwd, client = null } = from;
  const known = state.sessions.get(id);
  if (known) {
    const moved = client !== null && known.client !== client;
    return moved ? [{ type: "session:moved", id, project: known.project, client }] : [];
  }
  const [oldest] = state.sessions.size >= MAX_SESSIONS ? state.sessions.values() : [];
  return [
    ...(oldest ? [{ type: "session:forgotten", id: oldest.id, project: oldest.project } as const] : []),
    { type: "session:found", id, project, cwd, client },
    ...claimedBy(state, id).flatMap((decision): Fact[] => [
      { type: "session:offered", id, project, decision_id: decision.id },
      ...answeredAlready(state, decision, id),
    ]),
  ];
}

/** Requests that claim to be this session's, made before its first hook arrived. */
function claimedBy(state: Readonly<State>, session: string): Decision[] {
  const claims = (it: Decision) =>
    it.source === "request" && it.session === null && it.claimed_session === session;
  const owed = [...state.decisions.gists()]
    .filter((it) => it.claimed_session === session && it.delivery === "owed")
    .map((it) => it.id);
  return [...new Set([...state.pending, ...owed])]
    .flatMap((id) => state.decisions.get(id) ?? [])
    .filter(claims);
}

/** A person's prompt begins a turn: what was offered before no longer counts. */
export function clearTurn(state: Readonly<State>, from: Reporter): Fact[] {
  const project = state.sessions.get(from.session)?.project ?? from.project;
  return [...foundSession(state, from), { type: "session:turned", id: from.session, project }];
}

/** Somebody answered before the hook arrived. */
function answeredAlready(state: Readonly<State>, decision: Decision, session: string): Fact[] {
  if (!decision.answer || decision.delivery.state !== "owed") return [];
  const recipient = sessionRecipient(session);
  const { answer, ended } = decision;
  const outcome = ended
    ? { state: "expired" as const, ...ended, answer }
    : { state: "resolved" as const, answer };
  return tellRequester(state, { ...decision, recipient }, outcome);
}

/** Its turn is over: what it asked without waiting is what it waits for now. */
export function turnEnds(state: Readonly<State>, session: string): Fact[] {
  return promoteForSession(state, session, "the turn of the session has ended");
}

export type Verdict = "ends" | "blocked" | "overridden";

/** Whether the turn may end. The client may ask as often as it likes. */
export function checkTurn(
  state: Readonly<State>,
  from: Reporter,
  input: { soft: boolean; last_message: string },
): { verdict: Verdict; facts: Fact[] } {
  const facts = foundSession(state, from);
  const session = state.sessions.get(from.session);
  if (hasOffered(state, from.session, session)) return { verdict: "ends", facts };
  const project = session?.project ?? from.project;
  const blocks = session?.blocks ?? 0;
  const { last_message } = input;
  if (blocks >= MAX_BLOCKS)
    return {
      verdict: "overridden",
      facts: [...facts, { type: "session:overridden", id: from.session, project, blocks, last_message }],
    };
  if (input.soft) return { verdict: "blocked", facts };
  return {
    verdict: "blocked",
    facts: [...facts, { type: "session:blocked", id: from.session, project, count: blocks + 1 }],
  };
}

function hasOffered(state: Readonly<State>, id: string, session: HookedSession | undefined): boolean {
  return session?.offered ? true : openRequests(state, id).length > 0;
}

/** This session's requests that nobody has settled. */
export function openRequests(state: Readonly<State>, session: string): DecisionId[] {
  return [...state.pending].filter((id) => {
    const decision = state.decisions.get(id);
    return decision?.session === session && decision.source === "request";
  });
}
