/** What agents' chores depend on. */
import type { AgentClient } from "../../../agents/client.ts";
import type { Agent } from "../../../core/model/agent-types.ts";
import type { AgentId } from "../../../core/model/ids.ts";
import type { Ports } from "../../../ports.ts";
import type { Engine } from "../../engine/engine.ts";
import type { Marks } from "../../secrets/marks.ts";
import type { Tokens } from "../../secrets/tokens.ts";
import type { Launches } from "../conversation/launches.ts";
import type { OpenHooks } from "../hooks/open-hooks.ts";
import type { Primer } from "../hooks/primer.ts";
import type { Reports } from "../hooks/reports.ts";
import type { Turns } from "../hooks/turns.ts";
import type { Still } from "../terminal/dialog-end.ts";
import type { Typist } from "../terminal/typist.ts";

export interface AgentWorld {
  engine: Engine;
  ports: Ports;
  openHooks: OpenHooks;
  tokens: Tokens;
  marks: Marks;
  primer: Primer;
  turns: Turns;
  typist: Typist;
  agentClientOf(agent: Agent): AgentClient;
  /**
   * Returns once the agents of an earlier daemon have been looked for. Until then we don't know what they have been
   * told.
   */
  looked(): Promise<void>;
  /** A dialog that only the screen showed has been answered. The next one may be there already, and look just like it. */
  settled(agent_id: AgentId, key: string): Promise<void>;
  /** The agent's dialog is gone, and none of our keys reached it. */
  missed(agent_id: AgentId, key: string): Promise<void>;
  /** The agent's terminal shows these words, but no report has said so. One that comes now is newer than the screen. */
  heard(agent_id: AgentId, text: string, still: Still): Promise<void>;
  /** Its start is on record only now: whatever it has shown since, nobody looked. */
  found(agent_id: AgentId): Promise<void>;
  reports: Pick<Reports, "starting" | "started" | "isUnheard" | "refusesHttp">;
  launches: Pick<Launches, "note">;
  /** The URL that agents' hooks report to. */
  hookUrl(): string;
  /** Holds one folder per agent for its files. */
  dir: string;
  stateDir: string;
  env: Readonly<Record<string, string>>;
}

/** The environment of the shell that started the agent's owner, or the daemon's own if that was not kept. */
export async function environmentOf(
  { engine, ports, env }: AgentWorld,
  agent: Agent,
): Promise<Record<string, string>> {
  const { owner: of } = agent;
  const origin = await engine.read((state) => (of.kind === "job" ? state.jobs.get(of.id)?.origin : of.id));
  const owner = await ports.files.loadEnv(origin ?? of.id);
  return owner ?? { ...env };
}

/** The variables that identify an agent. Its programs have them, and so does everything that may run what it wrote. */
export async function identityOf(
  { tokens, stateDir }: Pick<AgentWorld, "tokens" | "stateDir">,
  { id, project }: Pick<Agent, "id" | "project">,
): Promise<Record<string, string>> {
  const OJ_AGENT_TOKEN = await tokens.of(id);
  return { OJ_AGENT: id, OJ_AGENT_TOKEN, OJ_PROJECT: project, OJ_STATE_DIR: stateDir };
}
