/** What the files of an agent's conversation say about its calls. */
import type { AgentClient, Kept } from "../../../agents/client.ts";
import type { Agent } from "../../../core/model/agent-types.ts";
import { endOf, newestIn } from "./file-parts.ts";

const KEPT_BYTES = 512 * 1024;
const MOST_SUBAGENTS = 8;

export async function keptBy({ transcript }: Agent, client: AgentClient): Promise<Kept> {
  if (transcript === null) return client.kept("", []);
  const others = client.subagentsOf(transcript);
  const files = others ? await newestIn(others.folder, others.ending, MOST_SUBAGENTS) : [];
  const [own = "", ...texts] = await Promise.all([transcript, ...files].map((it) => endOf(it, KEPT_BYTES)));
  return client.kept(own, texts);
}

/**
 * How the call ended whose dialog was answered, if that was never reported: no daemon was running, perhaps. Without it,
 * whatever the agent does next would make the answer ours.
 */
export async function endOfAnswered(
  agent: Agent,
  client: AgentClient,
): Promise<Kept["ended"][number] | null> {
  if (!client.reportsRefusals) return null; // what it does next is the receipt
  const key = agent.prompt?.key;
  if (key === undefined || !agent.outbox.some((it) => it.prompt_key === key)) return null;
  return (await keptBy(agent, client)).ended.find((it) => it.key === key) ?? null;
}
