/** How it is going: what was asked and answered in a span of time, how long it took, and what keeps coming back. */
import { z } from "@hono/zod-openapi";
import { zoneProblem } from "../core/reach/zone.ts";
import { decisionId, later, projectName, source } from "./basics.ts";

/** No clock shows what comes after it, in any zone: a date ends some days later. */
const LAST_MS = 8_630_000_000_000_000;
const moment = z.coerce.number().int().min(0).max(LAST_MS);

export const statsQuery = z.object({
  since_ms: moment.optional(),
  until_ms: moment.optional(),
  project: projectName.optional(),
  source: source.optional(),
  /** Whose days they are; UTC if it is left out. */
  zone: z
    .string()
    .max(100)
    .refine((it) => zoneProblem(it) === null, "is not a time zone")
    .optional(),
});
export type StatsQuery = z.input<typeof statsQuery>;

const count = later(() => z.number().int());

/** Those that were dismissed or superseded are not answered. */
const tally = later(() =>
  z.object({
    asked: count(),
    answered: count(),
    expired: count(),
    /** How many of the expired ones took their default. */
    defaulted: count(),
    withdrawn: count(),
    dismissed: count(),
    superseded: count(),
  }),
);

const times = later(() =>
  z
    .object({
      /** Null if there are none. */
      median_ms: z.number().nullable(),
      p90_ms: z.number().nullable(),
      /** How many they rest on. */
      count: count(),
    })
    .openapi("Times"),
);

const group = later(() => tally().extend({ name: z.string(), answer: times() }).openapi("StatsGroup"));
export type StatsGroup = z.infer<ReturnType<typeof group>>;

export const stats = later(() =>
  tally()
    .extend({
      /** Null: since the beginning. */
      since_ms: z.number().nullable(),
      until_ms: z.number(),
      /** Some of it is only known by the day or the month, which begins before or ends after the span. */
      is_rounded: z.boolean(),
      pending: count(),
      oldest_pending_ms: z.number().nullable(),
      times: z.object({ first_look: times(), answer: times(), acknowledgement: times() }),
      choices: z.object({
        /** Answers to decisions that recommend an option, and how many of them took it. */
        could_be_recommended: count(),
        recommended: count(),
        own_words: count(),
        undone: count(),
      }),
      by_source: z.array(group()),
      /** Who answered, and where. */
      by_person: z.array(group()),
      by_channel: z.array(group()),
      /** Who answered where, the most first. */
      answers: z.array(z.object({ person: z.string(), channel: z.string(), answered: count() })),
      /** Messages that interrupted somebody, by person, the most interrupted first. */
      interruptions: z.array(
        z.object({
          person: z.string(),
          count: count(),
          /** By the hour of the day, from midnight on: 24 of them. */
          hours: z.array(count()),
        }),
      ),
      days: z.array(tally().extend({ day: z.string(), from_ms: z.number() })),
      /** What was asked more than once, most often first. */
      recurring: z.array(
        z.object({ count: count(), last_id: decisionId, title: z.string(), project: z.string(), source }),
      ),
    })
    .openapi("Stats"),
);
export type StatsView = z.infer<ReturnType<typeof stats>>;
