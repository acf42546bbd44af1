/** Requests from sessions that oj did not start, and where an outcome goes when nobody waits for it. */
import type { Recipient } from "./queue-types.ts";
import { nameRecipient, sessionRecipient } from "./queue-types.ts";
import type { Requester } from "./request.ts";
import type { State } from "./state.ts";

/** The person's request comes from this session. It counts once the session's hooks have told of it: else nobody reads its queue. */
export function fromSession(state: Readonly<State>, requester: Requester, session: string | null): Requester {
  if (session === null || requester.agent_id !== null || !state.sessions.has(session)) return requester;
  const name = requester.is_agent ? requester.name : sessionName(session);
  return { ...requester, name, is_agent: true, session };
}

export function recipientOf(
  { name, is_agent, agent_id, session }: Requester,
  project: string,
): Recipient | null {
  if (agent_id !== null) return null;
  if (session !== null) return sessionRecipient(session);
  return is_agent ? nameRecipient(project, name) : null;
}

export function sessionName(session: string): string {
  return `session-${session.slice(0, 8)}`;
}
