/** Decisions as beads: where they are mirrored, what is still to be done, and what is wrong. */
import { z } from "@hono/zod-openapi";
import { folder, later } from "./basics.ts";

export const beadsState = later(() =>
  z
    .object({
      project: z.string(),
      /** The folder of the project. */
      root: z.string(),
      /** Its folder `.beads`; null if it has none. */
      dir: z.string().nullable(),
      /** The version of `bd`, once it was asked. */
      version: z.string().nullable(),
      /** Decisions whose bead is missing or behind. */
      owed: z.number(),
      state: z.enum(["ok", "absent", "old", "no-database", "locked", "failing"]),
      trouble: z.string().nullable(),
      since_ms: z.number().nullable(),
      retry_at_ms: z.number().nullable(),
    })
    .openapi("BeadsState"),
);
export type BeadsView = z.infer<ReturnType<typeof beadsState>>;

export const beadsBody = z.object({ cwd: folder }).strict();
export type BeadsBody = z.input<typeof beadsBody>;

export const beadsSynced = later(() =>
  z.object({ checked: z.number(), beads: beadsState() }).openapi("BeadsSynced"),
);
export type BeadsSynced = z.infer<ReturnType<typeof beadsSynced>>;
