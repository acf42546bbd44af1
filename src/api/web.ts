/** What client and daemon send each other about the browser inbox (links, logins, timelines) and about MCP tokens. */
import { z } from "@hono/zod-openapi";
import type { Event } from "../core/model/events.ts";
import { folder, id, later, projectName } from "./basics.ts";
import { lasts } from "./people.ts";

/** Each type of event has fields of its own besides these. */
const event = z
  .looseObject({ seq: z.number(), at_ms: z.number(), type: z.string(), project: z.string() })
  .openapi("Event") as unknown as z.ZodType<Event, Event>;

export const timeline = later(() =>
  z
    .object({
      events: z.array(event),
      /** Where to continue; null at the end. */
      next: z.number().nullable(),
    })
    .openapi("Timeline"),
);
/** What is recorded about a decision or a job, oldest first. */
export type TimelineView = z.infer<ReturnType<typeof timeline>>;

export const webLinkBody = z
  .object({
    decision: id.optional(),
    /** For a phone or another machine: it begins with `web.url`. */
    elsewhere: z.boolean().optional(),
  })
  .strict();
export const webLink = later(() => z.object({ url: z.string(), expires_at_ms: z.number() }));
/** Where to open the inbox. For a browser that is not logged in, the link works once and until it expires. */
export type WebLink = z.infer<ReturnType<typeof webLink>>;

export const webLogin = later(() =>
  z.object({
    id: z.string(),
    /** Who made the link. The browser answers in this person's name. */
    user: z.string(),
    /** What the browser calls itself. This text comes from outside. */
    browser: z.string(),
    created_at_ms: z.number(),
    /** Accurate to the hour. */
    used_at_ms: z.number(),
  }),
);
export type WebLoginView = z.infer<ReturnType<typeof webLogin>>;
export const webLoginsEnded = later(() => z.object({ ended: z.number() }));

/** A token for MCP over HTTP: who has it, and for which project. */
export const mcpToken = later(() =>
  z.object({
    name: z.string(),
    project: z.string(),
    /** For `oj token rotate` and `revoke`. */
    id: z.string(),
    /** Who made it. */
    sponsor: z.string(),
    created_at_ms: z.number(),
    expires_at_ms: z.number(),
    used_at_ms: z.number().nullable(),
  }),
);
export type McpTokenView = z.infer<ReturnType<typeof mcpToken>>;
export const mcpTokenBody = z
  .object({
    name: z.string().trim().min(1).max(100),
    project: projectName,
    cwd: folder,
    /** 90 days without it. */
    lasts_ms: lasts.optional(),
  })
  .strict();
export const mcpTokenMade = later(() =>
  z.object({
    name: z.string(),
    project: z.string(),
    token: z.string(),
    url: z.string(),
  }),
);
export type McpTokenMade = z.infer<ReturnType<typeof mcpTokenMade>>;
