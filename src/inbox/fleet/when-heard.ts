/** When an agent gets a message that was just sent to it, in words. */
import type { AgentView } from "../../api/api.ts";

/** "gets it once dec-… is answered". */
export function whenHeard(agent: AgentView): string {
  const { status, incarnation, decision_id, gate } = agent;
  if (gate !== null) return "gets it once its gate has run";
  if (status === "idle" || status === "errored") return "gets it now";
  if (status === "starting" && incarnation > 1) return "is being restarted to get it";
  if (isDialogLeft(agent))
    return "gets it once its open dialog is answered, but nobody has been asked to answer that";
  if (decision_id !== null) return `gets it once ${decision_id} is answered`;
  return `gets it the next time it waits (it is ${status})`;
}

/** Its dialog is open, and the question about it was dismissed. */
export function isDialogLeft({ status, decision_id }: AgentView): boolean {
  return status === "prompting" && decision_id === null;
}
