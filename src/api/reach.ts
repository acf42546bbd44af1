/** People, channels and routes as the person's config says them now: who is there, what works, who hears of what. */
import { z } from "@hono/zod-openapi";
import { CHANNEL_KINDS, NOTICE_STATES } from "../core/model/reach-types.ts";
import { decisionId, later, maybe, projectName } from "./basics.ts";

export const who = later(() =>
  z
    .object({
      /** The config file, and what is wrong with it: meanwhile what it said before counts. */
      file: z.string(),
      problem: z.string().nullable(),
      suggestions: z.array(z.string()),
      people: z.array(
        z.object({
          name: z.string(),
          channels: z.array(z.string()),
          hours: z.string().nullable(),
          is_on: z.boolean(),
          changes_at_ms: z.number().nullable(),
          digest: z.number().nullable(),
        }),
      ),
      groups: z.array(z.object({ name: z.string(), people: z.array(z.string()) })),
      rotas: z.array(
        z.object({ name: z.string(), person: z.string(), until_ms: z.number(), next: z.string() }),
      ),
    })
    .openapi("Who"),
);
export type WhoView = z.infer<ReturnType<typeof who>>;

export const channelState = later(() =>
  z
    .object({
      name: z.string(),
      kind: z.enum(CHANNEL_KINDS),
      /** The room that it writes to, if it writes to one for everybody. */
      room: z.string().nullable(),
      /** People who can be reached by it. */
      people: z.array(z.string()),
      /** It hears of every decision, whatever the routes say. */
      hears_all: z.boolean(),
      /** Whether answers can be given there. */
      answers: z.boolean(),
      state: z.enum(["ok", "trouble"]),
      trouble: z.string().nullable(),
    })
    .openapi("ChannelState"),
);
export type ChannelView = z.infer<ReturnType<typeof channelState>>;

export const channelTestBody = z
  .object({ person: maybe(z.string().min(1).max(200)), project: projectName })
  .strict();
export type ChannelTestBody = z.input<typeof channelTestBody>;

export const channelTest = later(() =>
  z
    .object({
      decision_id: decisionId,
      answers: z.boolean(),
      notices: z.array(
        z.object({ to: z.string(), state: z.enum(NOTICE_STATES), error: z.string().nullable() }),
      ),
    })
    .openapi("ChannelTest"),
);
export type ChannelTestView = z.infer<ReturnType<typeof channelTest>>;

const named = later(() => z.array(z.string()));
export const explained = later(() =>
  z
    .object({
      /** Each route up to the one that matches, with what it misses. */
      routes: z.array(z.object({ number: z.number(), mismatches: named() })),
      route: z.number().nullable(),
      escalation: z.string().nullable(),
      steps: z.array(
        z.object({
          /** Counted from 1; null: at once, by the route itself. */
          level: z.number().nullable(),
          after_ms: z.number(),
          names: named(),
          people: z.array(z.object({ name: z.string(), is_on: z.boolean() })),
          notices: z.array(
            z.object({ channel: z.string(), to: z.string(), people: named(), is_instead: z.boolean() }),
          ),
          missed: z.array(z.object({ name: z.string(), why: z.string() })),
          remind_ms: z.number().nullable(),
          next_ms: z.number().nullable(),
        }),
      ),
    })
    .openapi("ExplainedRoute"),
);
export type ExplainedView = z.infer<ReturnType<typeof explained>>;
