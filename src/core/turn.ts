/**
 * Turns of a session that oj did not start: a person's prompt begins one, and it may end once a decision was offered in it. It is
 * kept from ending three times at the most; then it is let go, and that is recorded.
 */
import type { Decision } from "./decision-types.ts";
import type { Fact } from "./events.ts";
import type { DecisionId } from "./ids.ts";
import { tellRequester } from "./queue.ts";
import { sessionRecipient } from "./queue-types.ts";
import type { HookedSession } from "./session-types.ts";
import type { State } from "./state.ts";

const MAX_BLOCKS = 3;
const MAX_SESSIONS = 10_000;
/** Ids in what a command printed: one that printed more of them did not print the one it asked for. */
const LOOKED_AT = 20;

/** Who reports, and from where. The project is asked for only when the session is new. */
export interface Reporter {
  session: string;
  project: string;
  cwd: string;
}

export function foundSession(state: Readonly<State>, { session: id, project, cwd }: Reporter): Fact[] {
  if (state.sessions.has(id)) return [];
  const [oldest] = state.sessions.size >= MAX_SESSIONS ? state.sessions.values() : [];
  return [
    ...(oldest ? [{ type: "session:forgotten", id: oldest.id, project: oldest.project } as const] : []),
    { type: "session:found", id, project, cwd },
  ];
}

/** A person's prompt: what was offered before it is past. */
export function clearTurn(state: Readonly<State>, from: Reporter): Fact[] {
  const project = state.sessions.get(from.session)?.project ?? from.project;
  return [...foundSession(state, from), { type: "session:turned", id: from.session, project }];
}

/**
 * A command of the session printed these words. A request that it made in this turn is named in them: then one was offered, and its
 * answer goes to the session. Requests that say themselves where they come from need no such mark.
 */
export function markTurn(state: Readonly<State>, from: Reporter, printed: string, began_ms: number): Fact[] {
  const found = foundSession(state, from);
  const { project, turn_began_ms } = state.sessions.get(from.session) ?? { ...from, turn_began_ms: began_ms };
  const isNew = (it: Decision | undefined) =>
    it?.source === "request" &&
    it.session === null &&
    it.agent_id === null &&
    it.created_at_ms >= Math.max(turn_began_ms, began_ms);
  const named = new Set(printed.match(/\bdec-[a-z0-9]+\b/g) as DecisionId[] | null);
  const offered = [...named].slice(0, LOOKED_AT).filter((id) => isNew(state.decisions.get(id)));
  return [
    ...found,
    ...offered.flatMap((decision_id): Fact[] => [
      { type: "session:offered", id: from.session, project, decision_id },
      ...answeredAlready(state, decision_id, from.session),
    ]),
  ];
}

/** Somebody was quicker than the hook. */
function answeredAlready(state: Readonly<State>, id: DecisionId, session: string): Fact[] {
  const decision = state.decisions.get(id);
  if (!decision?.answer || decision.delivery.state !== "owed") return [];
  const recipient = sessionRecipient(session);
  return tellRequester(state, { ...decision, recipient }, { state: "resolved", answer: decision.answer });
}

export type Verdict = "ends" | "blocked" | "overridden";

/** May the turn end? Asked as often as the client likes. */
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

/** What this session has asked, and nobody has settled. */
export function openRequests(state: Readonly<State>, session: string): DecisionId[] {
  return [...state.pending].filter((id) => {
    const decision = state.decisions.get(id);
    return decision?.session === session && decision.source === "request";
  });
}
