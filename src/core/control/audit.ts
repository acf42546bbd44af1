/** Reading the audit is itself recorded: who looked, at what, through which door. */
import type { Via } from "../model/decision-types.ts";
import type { Fact } from "../model/events.ts";
import type { DecisionId } from "../model/ids.ts";

export function auditRead(what: { of: DecisionId | null; project: string; by: string; via: Via }): Fact[] {
  return [{ type: "audit:read", id: "audit", ...what }];
}
