/**
 * A request that was asked without waiting blocks nothing while its asker goes on with other work. Once the asker stands
 * still, waits for it or asks again, it is promoted: it blocks work from then on, and people are told why.
 */
import { jobWaits } from "../flow/step-requests.ts";
import type { Agent } from "../model/agent-types.ts";
import type { Clients } from "../model/clients.ts";
import { endsWithTurn } from "../model/clients.ts";
import type { Decision } from "../model/decision-types.ts";
import { isAside } from "../model/decision-types.ts";
import type { Fact } from "../model/events.ts";
import type { AgentId, DecisionId } from "../model/ids.ts";
import type { Draft } from "../model/state/draft.ts";
import type { State } from "../model/state/state.ts";
import { pendingRequests } from "./outcome.ts";

/** Nothing happens if its asker waits already. */
export function promote(state: Readonly<State>, decision: Decision, reason: string): Fact[] {
  if (decision.state !== "pending" || !isAside(decision)) return [];
  const { id, project, asked_in } = decision;
  return [
    { type: "decision:promoted", id, project, reason },
    ...(asked_in ? jobWaits(state, asked_in, id) : []),
  ];
}

/** Whoever asked waits for the answer now: with `oj decision await`, over MCP or from a program. */
export function promoteAwaited(state: Readonly<State>, { id }: { id: DecisionId }): Fact[] {
  const decision = state.decisions.get(id);
  return decision ? promote(state, decision, `${askerOf(decision)} waits for the answer now`) : [];
}

/** The turn of this session is over, or the session is: nothing goes on in it. */
export function promoteForSession(state: Readonly<State>, session: string, what: string): Fact[] {
  return [...state.pending].flatMap((id) => {
    const decision = state.decisions.get(id);
    const asker = decision?.session ?? decision?.claimed_session;
    const isTheirs = decision?.source === "request" && asker === session;
    return isTheirs ? promote(state, decision, `${what}, so nothing goes on meanwhile`) : [];
  });
}

/** The last thing but one that a rule about an agent does: what it went on with may be over. */
export function promoteIfStill(draft: Draft, id: AgentId | null): void {
  const agent = id === null ? undefined : draft.state.agents.get(id);
  const why = agent ? standsStill(draft, agent) : null;
  if (agent && why !== null) promoteFor(draft, agent.id, why);
}

export function promoteFor(draft: Draft, id: AgentId, why: string): void {
  for (const decision of pendingRequests(draft, id))
    for (const fact of promote(draft.state, decision, why)) draft.emit(fact);
}

/** Why this agent does nothing, if nothing is on its way to it either; null while it goes on. */
export function standsStill(world: { moment: { clients: Clients } }, agent: Agent): string | null {
  const { name, status, stopping, gate, cooling, outbox, spawned } = agent;
  if (stopping || gate || cooling || outbox.length > 0) return null;
  if (status === "exited") return `the process of ${name} has ended`;
  if (!spawned || endsWithTurn(world, agent)) return null; // it has yet to start, or to exit
  if (status === "idle") return `${name} has stopped and has nothing else to do`;
  return status === "errored" ? `${name} has stopped after an error` : null;
}

function askerOf({ requested_by }: Decision): string {
  return requested_by ?? "whoever asked";
}
