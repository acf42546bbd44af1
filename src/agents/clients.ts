/** Which client an agent is talked to by. */
import type { Agent } from "../core/agent-types.ts";
import { claudeCode } from "./claude/client.ts";
import type { AgentClient } from "./client.ts";
import { program } from "./program/client.ts";

const clients: Record<Agent["kind"], AgentClient> = {
  "claude-code": claudeCode("claude-code"),
  scripted: claudeCode("scripted"),
  program,
};

export function clientOf(agent: Pick<Agent, "kind">): AgentClient {
  return clients[agent.kind];
}
