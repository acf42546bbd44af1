/** The status of each project: the jobs, crews and agents that have not ended, and the decisions that wait. */
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
  /** Answered, but the asker doesn't have the answer yet; oldest first. */
  owed: z.array(decision),
});
export const projects = z.array(project).openapi("Projects");
export type ProjectStatus = z.infer<typeof project>;
