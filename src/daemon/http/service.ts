/** What the routes work with. */
import type { Settings } from "../../config.ts";
import type { Ports } from "../../ports.ts";
import type { Agents } from "../agents/agents.ts";
import type { Chores } from "../engine/chores.ts";
import type { Engine } from "../engine/engine.ts";
import type { Hub } from "../engine/hub.ts";
import type { Rates } from "../engine/rates.ts";
import type { Logins } from "../secrets/logins.ts";
import type { McpTokens } from "../secrets/mcp-tokens.ts";
import type { ViewCache } from "../views/view-cache.ts";
import type { Refused } from "./refused.ts";

export interface Service {
  engine: Engine;
  agents: Agents;
  chores: Pick<Chores, "late">;
  hub: Hub;
  mcpTokens: McpTokens;
  logins: Logins;
  cache: ViewCache;
  briefs: ViewCache;
  rates: Rates;
  refused: Refused;
  ports: Ports;
  settings: Settings;
  socket: string;
  /** Where agents' hooks report, MCP is spoken, and browsers come. */
  port: number;
  started_at_ms: number;
  /** What was found wrong with the store at start. */
  warnings: readonly string[];
  /** Aborted when the daemon stops: whoever waits is told at once. */
  stopping: AbortSignal;
  stop(input: { kill: boolean }): void;
}
