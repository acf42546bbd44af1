/**
 * How things are in each project: the jobs, crews and agents that have not ended, what failed unseen, the sessions that
 * oj did not start, and the decisions that wait.
 */
import { z } from "@hono/zod-openapi";
import { agent } from "./agents.ts";
import { decisionId, later } from "./basics.ts";
import { decision, decisionBrief } from "./decisions.ts";
import { failedRun } from "./failed.ts";
import { crew, job } from "./jobs.ts";

const liveAgent = later(() =>
  agent()
    .extend({
      /** The last line that it printed, above the box that people type into. */
      last_line: z.string(),
      /** When it last printed or reported something, while it is at work. */
      heard_at_ms: z.number().nullable(),
      /** Since when its machine has been away; null while it is there. */
      away_since_ms: z.number().nullable(),
    })
    .openapi("LiveAgent"),
);
export type LiveAgent = z.infer<ReturnType<typeof liveAgent>>;

/** A session of an agent client with the hooks of `oj init`. */
const session = later(() =>
  z
    .object({
      id: z.string(),
      project: z.string(),
      cwd: z.string(),
      /** How many prompts a person has given it. */
      turns: z.number(),
      turn_began_ms: z.number(),
      seen_at_ms: z.number(),
      /** What it asked that nobody has answered, oldest first. */
      pending: z.array(decisionId),
    })
    .openapi("Session"),
);
export type SessionView = z.infer<ReturnType<typeof session>>;

const fleet = later(() =>
  z.object({
    project: z.string(),
    jobs: z.array(job()),
    crews: z.array(crew()),
    agents: z.array(liveAgent()),
    /** Those that were heard of today, or wait for an answer. */
    sessions: z.array(session()),
    /** Nobody has seen these yet. */
    failed: z.array(failedRun()),
    /** Answered, but the asker doesn't have the answer yet; oldest first. */
    owed: z.array(decision()),
  }),
);

const project = later(() => fleet().extend({ pending: z.array(decision()) }));
export const projects = later(() => z.array(project()).openapi("Projects"));
export type ProjectStatus = z.infer<ReturnType<typeof project>>;

/** The same for a view that is refreshed often: what the others wait for, in short. */
const fleetProject = later(() => fleet().extend({ pending: z.array(decisionBrief()) }));
export const fleetProjects = later(() => z.array(fleetProject()).openapi("Fleet"));
export type ProjectFleet = z.infer<ReturnType<typeof fleetProject>>;
