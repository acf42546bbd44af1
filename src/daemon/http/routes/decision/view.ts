/** A decision as callers see it, after what they did to it. */
import type { DecisionView } from "../../../../api/api.ts";
import { findDecision } from "../../../../core/model/state/find.ts";
import { decisionView } from "../../../views/views.ts";
import type { Service } from "../../service.ts";

export function viewOf({ engine, machines }: Service, id: string): Promise<DecisionView> {
  return engine.read((state) => machines.placed(decisionView(findDecision(state, id))));
}
