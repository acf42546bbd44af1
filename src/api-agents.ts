/** What travels about agents. */
import type { AgentOwner, AgentStatus } from "./core/agent-types.ts";
import type { AgentKind } from "./core/clients.ts";
import type { Silence } from "./core/hook-settings.ts";
import type { AgentId, DecisionId } from "./core/ids.ts";

export interface AgentView {
  id: AgentId;
  project: string;
  name: string;
  kind: AgentKind;
  owner: AgentOwner;
  status: AgentStatus;
  incarnation: number;
  conversation: string | null;
  /** What it asks, while that is pending. */
  decision_id: DecisionId | null;
  /** Its last decision was dismissed, and it has not moved since. */
  dismissed: boolean;
  /** The gate that is being run; when its next attempt is due. */
  gate: string | null;
  cooling_until_ms: number | null;
  last_message: string;
  error: { kind: string; message: string } | null;
  exit: { code: number | null; signal: string | null } | null;
  /** What is to be known of this start of it, such as a client that is older than what oj is tested with. */
  notes: string[];
  /** Its client does not report: what is switched off, by what (null: not known), and what that costs, in words. */
  silent: (Silence & { says: string }) | null;
  cwd: string;
  created_at_ms: number;
  changed_at_ms: number;
  /** What it has not got yet. */
  owed: { decision_id: DecisionId | null; state: "owed" | "delivered"; attempts: number }[];
  prompt: { kind: string; tool: string } | null;
}
