/** What there is, by project: the jobs and agents that have not ended, and the decisions that wait. */
import { z } from "@hono/zod-openapi";
import { agent } from "./agents.ts";
import { decision } from "./decisions.ts";
import { crew, job } from "./jobs.ts";

const project = z.object({
  project: z.string(),
  jobs: z.array(job),
  crews: z.array(crew),
  pending: z.array(decision),
  agents: z.array(agent),
  /** Answered, and whoever asked does not have it yet; oldest first. */
  owed: z.array(decision),
});
export const projects = z.array(project).openapi("Projects");
export type ProjectStatus = z.infer<typeof project>;
