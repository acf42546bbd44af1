/** Failures that nobody has seen yet: they stay in the inboxes until somebody retries, opens or drops them. */
import { z } from "@hono/zod-openapi";
import { SIGHTS } from "../core/model/job-types.ts";
import { agentId, crewId, jobId, later } from "./basics.ts";

export const failedRun = later(() =>
  z
    .object({
      id: z.union([jobId, crewId]),
      project: z.string(),
      name: z.string(),
      /** The step at which a job failed; null if it failed before its first step, and for a crew. */
      step: z.string().nullable(),
      error: z.string(),
      exit_code: z.number().nullable(),
      /** The end of what the step printed, or what the agent said last. */
      tail: z.string(),
      agent_id: agentId.nullable(),
      by: z.string(),
      created_at_ms: z.number(),
      failed_at_ms: z.number(),
    })
    .openapi("FailedRun"),
);
export type FailedRun = z.infer<ReturnType<typeof failedRun>>;

/** `opened`: somebody has looked at it. `waited`: somebody stayed until it ended. `dropped`: nobody wants to be shown it. */
export const seenBody = z.object({ how: z.enum(SIGHTS) }).strict();
