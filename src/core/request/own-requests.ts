/** What a requester has asked: which requests are pending, and which outcomes the requester doesn't know yet. */
import type { Decision } from "../model/decision-types.ts";
import type { Gist } from "../model/gist.ts";
import type { State } from "../model/state/state.ts";
import { recipientOf } from "./requester.ts";
import type { Requester } from "./types.ts";

/**
 * An agent that we run is known by its id, others by where their answers go. A person with the same name is somebody
 * else.
 */
export function isOwn(
  decision: Pick<Gist, "source" | "project" | "agent_id" | "recipient" | "requested_by">,
  requester: Requester,
  project: string,
): boolean {
  if (decision.source !== "request" || decision.project !== project) return false;
  const { agent_id, name, is_agent } = requester;
  if (decision.agent_id !== agent_id || decision.recipient !== recipientOf(requester, project)) return false;
  return is_agent || decision.requested_by === name;
}

export function pendingRequestsOf(state: Readonly<State>, requester: Requester, project: string): Decision[] {
  return [...state.pending].flatMap((id) => {
    const decision = state.decisions.get(id);
    return decision && isOwn(decision, requester, project) ? [decision] : [];
  });
}

/**
 * Settled requests whose outcome the asker doesn't have: an answer that is owed, or an ending that waits in their
 * queue.
 */
export function newsFor(state: Readonly<State>, requester: Requester, project: string): Decision[] {
  const recipient = recipientOf(requester, project);
  const queued = recipient === null ? [] : (state.queues.get(recipient)?.entries ?? []);
  const waiting = new Set(queued.map((it) => it.decision_id));
  const owed = [...state.decisions.gists()]
    .filter((it) => (it.delivery === "owed" || it.delivery === "delivered") && isOwn(it, requester, project))
    .map((it) => it.id);
  const ended = [...waiting].filter((id) => id !== null);
  return [...new Set([...owed, ...ended])].flatMap((id) => state.decisions.get(id) ?? []);
}
