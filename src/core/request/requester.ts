/** Who asks: a session that oj did not start, or a step of a job; and where an outcome goes if nobody waits for it. */

import type { AskedIn } from "../model/decision-types.ts";
import type { Recipient } from "../model/queue-types.ts";
import { nameRecipient, sessionRecipient } from "../model/queue-types.ts";
import type { State } from "../model/state/state.ts";
import type { Requester } from "./types.ts";

/**
 * What a request says about where it was made. Nothing else ties it to a session, least of all what a command printed.
 */
export interface Origin {
  /** The session that its environment names. The client sets it for the commands of its tools. */
  session: string | null;
  /** The processes above it (`pid.start`), nearest first. */
  processes?: readonly string[];
  /** Made by a server that lives as long as the client, so its environment may be older than the session. */
  outlives?: boolean;
}

/**
 * The person's request comes from this session. That counts once the session's hooks have reported it: before that,
 * nobody reads its queue. Until then the claim is kept with the request.
 */
export function fromSession(state: Readonly<State>, requester: Requester, origin: Origin): Requester {
  if (requester.agent_id !== null) return requester;
  const session = sessionOf(state, origin);
  if (session === null) return requester;
  if (!state.sessions.has(session)) return { ...requester, claimed_session: session };
  const name = requester.is_agent ? requester.name : sessionName(session);
  return { ...requester, name, is_agent: true, session };
}

/**
 * A command's environment is exact, even for a script that outlives a `/clear`. If the client set none, or set it for
 * something that outlives sessions, the client's process above it tells which session is the current one.
 */
function sessionOf(
  state: Readonly<State>,
  { session, processes = [], outlives = false }: Origin,
): string | null {
  if (session !== null && !outlives) return session;
  for (const client of processes)
    for (const it of state.sessions.values()) if (it.client === client) return it.id;
  return session;
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

/** The request comes from this step and gets the step's name, unless it gives one itself. */
export function fromStep(state: Readonly<State>, requester: Requester, asked_in: AskedIn): Requester {
  const job = state.jobs.get(asked_in.job_id);
  if (!job || requester.agent_id !== null) return requester;
  const name = requester.is_agent ? requester.name : `${job.name}/${asked_in.step}`;
  return { ...requester, name, asked_in };
}
