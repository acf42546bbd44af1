/** A decision as callers see it. */
import { agentClientOf } from "../../../../agents/known/clients.ts";
import type { DecisionView } from "../../../../api/api.ts";
import type { Decision } from "../../../../core/model/decision-types.ts";
import { findDecision } from "../../../../core/model/state/find.ts";
import { homeOf } from "../../../../core/model/state/home.ts";
import type { State } from "../../../../core/model/state/state.ts";
import { decisionView } from "../../../views/views.ts";
import type { Service } from "../../service.ts";

/** After what a caller did to it. */
export function viewOf(service: Service, id: string): Promise<DecisionView> {
  return service.engine.read((state) => viewIn(state, findDecision(state, id), service));
}

/** Where a change would be refused, none is offered: clients don't send a hook again to the next daemon. */
export function viewIn(state: Readonly<State>, decision: Decision, service: Service): DecisionView {
  const view = service.machines.placed(decisionView(decision));
  const isRefused = decision.state === "pending" && unheld(state, decision, service) !== null;
  return view.action && isRefused ? { ...view, action: { ...view.action, as_is: true } } : view;
}

/**
 * Why a change can't be delivered; null if it can, or if core says what is wrong. It only goes where a hook waits for it.
 * A session's dialog is pending just as long as its hook is open; of an agent on another machine, only that machine
 * knows.
 */
export function unheld(
  state: Readonly<State>,
  decision: Decision,
  { machines, agents }: Service,
): "client" | "hook" | null {
  const { agent_id, prompt_key, source, action } = decision;
  const agent = agent_id === null ? undefined : state.agents.get(agent_id);
  const isEditable = source === "approval" || source === "plan";
  if (!agent || prompt_key === null || !isEditable || action === null) return null;
  if (agentClientOf(agent).promises.edited === null) return "client";
  const isElsewhere = homeOf(state, decision.id) !== machines.self;
  return !isElsewhere && !agents.openHooks.has(agent.id, prompt_key) ? "hook" : null;
}
