/** The machines that share a log. */
import { z } from "@hono/zod-openapi";
import { later } from "./basics.ts";

export const machine = later(() =>
  z
    .object({
      name: z.string(),
      /** Whether it is the one that was asked. */
      self: z.boolean(),
      /** Since when its daemon has not been there; null while it is. */
      away_since_ms: z.number().nullable(),
      joined_at_ms: z.number(),
      /** What runs there, and what waits for a person. */
      jobs: z.number(),
      agents: z.number(),
      pending: z.number(),
    })
    .openapi("Machine"),
);
export type MachineView = z.infer<ReturnType<typeof machine>>;

export const machineParam = z.object({ name: z.string().min(1).max(200) });
