/** Why an agent doesn't have what it is owed yet: the sentence that a person reads while an answer is on its way. */

import type { Agent, Parcel } from "../model/agent-types.ts";
import { isDue } from "./agent-life.ts";

/** What the agent was started for, where it could not be started with it. */
export function isTask({ def }: Agent, { decision_id, text, task }: Parcel): boolean {
  return task === true || (decision_id === null && text === def.prompt); // an older record has no `task`
}

export function waitsFor(agent: Agent, parcel: Parcel): string {
  const { status, outbox } = agent;
  if (agent.stopping) return "the agent is being stopped";
  if (isDue(agent)) return "the agent is being started";
  if (status === "exited") return "the agent is gone; it gets this when it is restarted";
  if (parcel.state === "delivered") return "the agent was told, but has not acknowledged it yet";
  if (agent.gate) return "the agent's gate is running";
  const [first] = outbox.filter((it) => it.state === "owed");
  if (first && first.id !== parcel.id) return "something else has to reach the agent first";
  if (status === "prompting" && agent.prompt?.key !== parcel.prompt_key)
    return "the agent is showing another dialog, which has to be answered first";
  if (status === "working" || status === "starting")
    return "the agent is working; it gets this when it stops";
  return "it is on its way to the agent";
}
