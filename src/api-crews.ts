/** What travels about crews. A crew is seen as a job is, with no steps and an agent: whatever asks for a job takes it too. */
import type { JobView } from "./api.ts";
import type { CrewStatus } from "./core/agent-types.ts";
import type { AgentId, CrewId } from "./core/ids.ts";

export interface CrewView extends Omit<JobView, "id" | "status"> {
  id: CrewId;
  status: CrewStatus;
  /** The newest of its agents. */
  agent_id: AgentId;
}

/** What `oj run` started. */
export type RunView = JobView | CrewView;

export function isCrewView(run: RunView): run is CrewView {
  return run.id.startsWith("crew-");
}
