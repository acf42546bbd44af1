/** What client and daemon send each other about agents. */
import { z } from "@hono/zod-openapi";
import { agentId, crewId, decisionId, flag, jobId, later, orNull, text } from "./basics.ts";

const owner = later(() =>
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("job"), id: jobId, name: z.string(), step: z.string() }),
    z.object({ kind: z.literal("crew"), id: crewId, name: z.string() }),
  ]),
);

export const agent = later(() =>
  z
    .object({
      id: agentId,
      project: z.string(),
      name: z.string(),
      /** The name of its agent client. */
      kind: z.string(),
      owner: owner(),
      status: z.enum(["starting", "working", "idle", "prompting", "errored", "exited", "ended"]),
      incarnation: z.number(),
      conversation: z.string().nullable(),
      /** The agent's pending decision, if it has one. */
      decision_id: decisionId.nullable(),
      /** True if the agent's last decision was dismissed and it has done nothing since. */
      dismissed: z.boolean(),
      /** The gate that is running. `cooling_until_ms` is when the next attempt of its trigger is due. */
      gate: z.string().nullable(),
      cooling_until_ms: z.number().nullable(),
      last_message: z.string(),
      error: z.object({ kind: z.string(), message: z.string() }).nullable(),
      exit: z.object({ code: z.number().nullable(), signal: z.string().nullable() }).nullable(),
      /** Notes about this start of the agent, such as a client older than the version oj is tested with. */
      notes: z.array(z.string()),
      /**
       * Set if the client does not report: what is switched off, by what (null: unknown), and what that costs, in words.
       */
      silent: z
        .object({ off: z.enum(["all", "http"]), by: z.string().nullable(), says: z.string() })
        .nullable(),
      /** Since when it has neither printed nor reported anything, if that is longer than it may: it hangs. */
      hung_since_ms: z.number().nullable(),
      /** Set while it waits for its turn: at most `max` of its name run at once, and `ahead` of them have to end first. */
      queued: z.object({ max: z.number(), ahead: z.number() }).nullable(),
      /** Where it runs, of the machines that share the log; null if there is only one. */
      machine: z.string().nullable(),
      cwd: z.string(),
      created_at_ms: z.number(),
      changed_at_ms: z.number(),
      /** What the agent has not acknowledged yet. */
      owed: z.array(
        z.object({
          decision_id: decisionId.nullable(),
          state: z.enum(["owed", "delivered"]),
          attempts: z.number(),
          /** Why the agent doesn't have it yet, in words. */
          waits_for: z.string(),
          /** It is what the agent was started for: a program is told when it first waits for words. */
          task: z.boolean(),
        }),
      ),
      prompt: z.object({ kind: z.string(), tool: z.string() }).nullable(),
    })
    .openapi("Agent"),
);
export type AgentView = z.infer<ReturnType<typeof agent>>;

export const attached = later(() => z.object({ argv: z.array(z.string()) }));

export const screenQuery = z.object({
  ansi: flag.optional(),
  history: z.coerce.number().int().min(0).max(10_000).optional(),
});
/** For screens that are sent repeatedly: allows less history above the screen. */
export const screensQuery = z.object({
  ansi: flag.optional(),
  history: z.coerce.number().int().min(0).max(1000).optional(),
});
export const sendBody = z.object({ text: z.string().min(1).max(100_000) }).strict();
export const signalBody = z
  .object({ signal: z.enum(["done", "escalate", "fail"]), message: orNull(text) })
  .strict();
