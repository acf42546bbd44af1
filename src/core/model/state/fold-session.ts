/** How facts change sessions that oj did not start. Only folds. */

import type { Decision } from "../decision-types.ts";
import type { Stamp } from "../events.ts";
import { sessionRecipient } from "../queue-types.ts";
import type { HookedSession, SessionFact } from "../session-types.ts";
import { forgetAsking, noteAsking } from "./fold-pending.ts";
import { forgetAnswer } from "./fold-queue.ts";
import type { Folding } from "./state-types.ts";
import type { OpenRows } from "./table.ts";

type Touched = Pick<Folding, "sessions" | "decisions" | "asking" | "queues">;

export function foldSession(state: Touched, fact: SessionFact & Stamp): void {
  const { sessions, decisions } = state;
  if (fact.type === "session:found") {
    if (fact.client) leaveClient(sessions, fact.client);
    sessions.set(fact.id, newSession(fact));
    return;
  }
  const session = sessions.open(fact.id);
  if (!session) return;
  session.seen_at_ms = fact.at_ms;
  switch (fact.type) {
    case "session:turned":
      session.turns += 1;
      session.turn_began_ms = fact.at_ms;
      session.offered = null;
      session.blocks = 0;
      return;
    case "session:moved":
      leaveClient(sessions, fact.client);
      session.client = fact.client;
      return;
    case "session:offered": {
      session.offered = fact.decision_id;
      session.blocks = 0;
      const decision = decisions.open(fact.decision_id);
      if (!decision) return;
      forgetAsking(state, decision);
      if (decision.recipient) forgetAnswer(state.queues, decision.recipient, decision.id);
      decision.session = fact.id;
      decision.recipient = sessionRecipient(fact.id);
      noteAsking(state, decision);
      return;
    }
    case "session:blocked":
      session.blocks = fact.count;
      return;
    case "session:overridden":
      session.blocks = 0;
      return;
    case "session:forgotten":
      sessions.delete(fact.id);
      return;
    default:
      return; // a fact from a newer version
  }
}

/** A request that names its session is proof enough that the session offered a decision. */
export function foldOffer(
  sessions: OpenRows<string, HookedSession>,
  { session: id, ...decision }: Decision,
): void {
  const session = id === null || decision.source !== "request" ? undefined : sessions.open(id);
  if (!session) return;
  session.offered = decision.id;
  session.blocks = 0;
  session.seen_at_ms = decision.created_at_ms;
}

/** A client has one session at a time. */
function leaveClient(sessions: OpenRows<string, HookedSession>, client: string): void {
  for (const it of sessions.values()) {
    const session = it.client === client ? sessions.open(it.id) : undefined;
    if (session) session.client = null;
  }
}

function newSession({
  id,
  project,
  cwd,
  client,
  at_ms,
}: Extract<SessionFact & Stamp, { cwd: string }>): HookedSession {
  return {
    id,
    project,
    cwd,
    client: client ?? null,
    turns: 0,
    turn_began_ms: at_ms,
    offered: null,
    blocks: 0,
    seen_at_ms: at_ms,
  };
}
