/** What a requester has asked: which requests are pending, and which outcomes the requester doesn't know yet. */
import type { Decision } from "../model/decision-types.ts";
import type { Gist } from "../model/gist.ts";
import { askerOf } from "../model/state/fold-pending.ts";
import type { State } from "../model/state/state.ts";
import { recipientOf } from "./requester.ts";
import type { Requester } from "./types.ts";

/**
 * An agent that we run is known by its id, others by where their answers go. A person with the same name is somebody
 * else.
 */
export function isOwn(decision: Asked, requester: Requester, project: string): boolean {
  return ownTo(requester, project)(decision);
}

type Asked = Pick<Gist, "source" | "project" | "agent_id" | "recipient" | "requested_by">;

/** The same for many decisions: where the answers go is worked out once. */
function ownTo(requester: Requester, project: string): (decision: Asked) => boolean {
  const { agent_id, name, is_agent } = requester;
  const recipient = recipientOf(requester, project);
  return (it) =>
    it.source === "request" &&
    it.project === project &&
    it.agent_id === agent_id &&
    it.recipient === recipient &&
    (is_agent || it.requested_by === name);
}

export function pendingRequestsOf(state: Readonly<State>, requester: Requester, project: string): Decision[] {
  const { agent_id } = requester;
  const asker = askerOf({ agent_id, recipient: recipientOf(requester, project) });
  const ids = asker === null ? state.pending : (state.asking.get(asker)?.ids ?? []);
  const own: Decision[] = [];
  const isTheirs = ownTo(requester, project);
  for (const id of ids) {
    const decision = state.decisions.get(id);
    if (decision && isTheirs(decision)) own.push(decision);
  }
  return own;
}

/**
 * Settled requests whose outcome the asker doesn't have: an answer that is owed, or an ending that waits in their
 * queue.
 */
export function newsFor(state: Readonly<State>, requester: Requester, project: string): Decision[] {
  const recipient = recipientOf(requester, project);
  const queued = recipient === null ? [] : (state.queues.get(recipient)?.entries ?? []);
  const waiting = new Set(queued.map((it) => it.decision_id));
  const isTheirs = ownTo(requester, project);
  const owed = [...state.decisions.gists()]
    .filter((it) => (it.delivery === "owed" || it.delivery === "delivered") && isTheirs(it))
    .map((it) => it.id);
  const ended = [...waiting].filter((id) => id !== null);
  return [...new Set([...owed, ...ended])].flatMap((id) => state.decisions.get(id) ?? []);
}
