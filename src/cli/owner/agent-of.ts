/** The agent of a job's current step, or of a crew, for commands that look at it. */
import { isCrewView } from "../../api/api.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { Context } from "../base/command.ts";

export async function agentOf({ client }: Context, jobId: string): Promise<string> {
  const job = await client.job(jobId);
  if (isCrewView(job)) return job.agent_id;
  const agents = await client.agents();
  const own = agents.filter((it) => it.owner.id === job.id);
  const agent = own.find((it) => it.status !== "ended") ?? own[0];
  if (agent) return agent.id;
  throw new Refusal("agent.not-found", `${job.id} has no agent`, `oj job logs ${job.id}`);
}
