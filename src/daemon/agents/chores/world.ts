/** What the chores of agents work with. */
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
  /** Returns when the agents of an earlier daemon were looked for: until then it is not known what they have heard. */
  looked(): Promise<void>;
  /** A dialog that only the screen told of has its answer. */
  settled(agent_id: AgentId, key: string): Promise<void>;
  /** Its dialog is gone, and none of our keys went there. */
  missed(agent_id: AgentId, key: string): Promise<void>;
  /** Its terminal shows these words, though no report will say so. */
  heard(agent_id: AgentId, text: string): Promise<void>;
  reports: Pick<Reports, "starting" | "started" | "isUnheard" | "refusesHttp">;
  launches: Pick<Launches, "note">;
  /** Where agents' hooks report. */
  hookUrl(): string;
  /** A folder for each agent's files. */
  dir: string;
  stateDir: string;
  env: Readonly<Record<string, string>>;
}

/** The environment of the shell that started the agent's owner, else the daemon's own. */
export async function environmentOf(
  { engine, ports, env }: AgentWorld,
  agent: Agent,
): Promise<Record<string, string>> {
  const { owner: of } = agent;
  const origin = await engine.read((state) => (of.kind === "job" ? state.jobs.get(of.id)?.origin : of.id));
  const owner = await ports.files.loadEnv(origin ?? of.id);
  return owner ?? { ...env };
}

/** What an agent's own programs have in their environment, and so has everything that may run what it wrote. */
export async function identityOf(
  { tokens, stateDir }: Pick<AgentWorld, "tokens" | "stateDir">,
  { id, project }: Pick<Agent, "id" | "project">,
): Promise<Record<string, string>> {
  const OJ_AGENT_TOKEN = await tokens.of(id);
  return { OJ_AGENT: id, OJ_AGENT_TOKEN, OJ_PROJECT: project, OJ_STATE_DIR: stateDir };
}
