/** What is around a question about an agent: what a person is shown with it, and what policies need to know. */
import type { AgentClient, Seen } from "../../../agents/client.ts";
import { asTaken } from "../../../agents/promises.ts";
import type { Agent, Prompt } from "../../../core/model/agent-types.ts";
import type { AgentId } from "../../../core/model/ids.ts";
import type { Look } from "../../../core/policy/files.ts";
import type { Ports } from "../../../ports.ts";
import type { Policies } from "../../runbooks/policies.ts";
import { lastMessageOf } from "../conversation/last-message.ts";
import { tailOf } from "../terminal/tail.ts";
import type { OpenHooks } from "./open-hooks.ts";
import { withDiff } from "./prompt-diff.ts";

export interface Surroundings {
  asShown(id: AgentId, prompt: Prompt): Promise<Prompt>;
  lookFor(id: AgentId, seen: Seen): Promise<Look | null>;
  surroundings(id: AgentId, seen: Seen): Promise<{ tail: string; last_message?: string; prompt?: Prompt }>;
}

export function startSurroundings(
  ports: Pick<Ports, "terminals" | "clock" | "readSource"> & {
    openHooks: Pick<OpenHooks, "has">;
    policies: Pick<Policies, "look">;
  },
  agentNow: (id: AgentId) => Promise<Agent | null>,
  agentClientOf: (agent: Agent) => AgentClient,
): Surroundings {
  const { openHooks, policies } = ports;

  /** With what it would do to a file now, which may be something else than a moment ago. */
  async function asShown(id: AgentId, prompt: Prompt): Promise<Prompt> {
    const agent = await agentNow(id);
    if (!agent) return prompt;
    const { cwd, root } = agent;
    return withDiff(ports, agentClientOf(agent), prompt, { cwd, roots: [cwd, root] });
  }

  /** What policies need to know, in case this becomes a question. Files that can't be read answer nothing. */
  async function lookFor(id: AgentId, seen: Seen): Promise<Look | null> {
    const agent = await agentNow(id);
    if (!agent) return null;
    const { cwd, root } = agent;
    const asks = seen.type === "prompted" && seen.prompt.kind === "approval" ? seen.prompt : null;
    return policies.look({ root, cwd, workspace: cwd }, asks);
  }

  /**
   * What is shown with a question about the agent: the last lines of its screen, what it said last, and what it would do
   * to a file.
   */
  async function surroundings(
    id: AgentId,
    seen: Seen,
  ): Promise<{ tail: string; last_message?: string; prompt?: Prompt }> {
    const tail = await tailOf(ports, id);
    const agent = await agentNow(id);
    if (!agent || "last_message" in seen) return { tail };
    const client = agentClientOf(agent);
    if (seen.type !== "prompted")
      return { tail, last_message: await lastMessageOf(ports, agent, client, null) };
    const takesChanges = client.promises.edited !== null && openHooks.has(id, seen.prompt.key);
    const prompt = asTaken(await asShown(id, seen.prompt), takesChanges);
    return { tail, last_message: await lastMessageOf(ports, agent, client, prompt.key), prompt };
  }

  return { asShown, lookFor, surroundings };
}
