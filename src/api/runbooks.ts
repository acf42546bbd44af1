/** What client and daemon send each other about runbooks: commands, templates, problems, and starting a run. */
import { z } from "@hono/zod-openapi";
import { crewId, folder, jobId, later, maybe, projectName, rule, text, urgency } from "./basics.ts";

export const problem = later(() =>
  z.object({
    path: z.string(),
    line: z.number(),
    column: z.number(),
    length: z.number(),
    message: z.string(),
    hint: maybe(z.string()),
    excerpt: z.string(),
  }),
);

export const runBody = z
  .object({
    cwd: folder,
    project: projectName,
    command: z.string().min(1).max(500),
    argv: z.array(text).max(1000).default([]),
    named: z.record(z.string(), text).default({}),
    /** The environment of the calling shell. It is kept in a file of the job's own, never in the log. */
    env: z.record(z.string(), z.string()).default({}),
  })
  .strict();
export type RunBody = z.output<typeof runBody>;

export const started = later(() =>
  z.union([z.object({ job_id: jobId }), z.object({ crew_id: crewId })]).openapi("Started"),
);
export type RunResult = z.infer<ReturnType<typeof started>>;

const command = later(() =>
  z.object({
    name: z.string(),
    usage: z.string(),
    description: z.string().nullable(),
    path: z.string(),
    line: z.number(),
  }),
);
export type CommandView = z.infer<ReturnType<typeof command>>;

export const commands = later(() =>
  z.object({ commands: z.array(command()), problems: z.array(problem()) }).openapi("Commands"),
);
export type CommandList = z.infer<ReturnType<typeof commands>>;

export const checkBody = z
  .object({ cwd: folder, files: z.array(z.string().max(4096)).max(1000).default([]) })
  .strict();
export const checked = later(() =>
  z
    .object({
      files: z.array(z.string()),
      problems: z.array(problem()),
      /** What is allowed but probably not intended. Nothing is refused because of it. */
      warnings: z.array(problem()),
    })
    .openapi("Checked"),
);
export type CheckResult = z.infer<ReturnType<typeof checked>>;

const template = later(() =>
  z.object({
    path: z.string(),
    line: z.number(),
    name: z.string(),
    prompt_hint: maybe(z.string()),
    /** Keys that its context must have; with `min`, a list of at least that many. */
    required_context: z.array(z.object({ key: z.string(), min: maybe(z.number()) })),
    urgency: maybe(urgency),
    /** What happens to the work that a decision blocks if it ends without an answer. */
    on_cancel: maybe(z.enum(["keep", "unblock"])),
    ...rule.shape,
    options: z.array(
      z.object({
        key: z.string(),
        label: maybe(z.string()),
        description: maybe(z.string()),
        recommended: maybe(z.boolean()),
        step: maybe(z.string()),
        action: maybe(z.enum(["continue", "cancel", "fail", "dismiss"])),
        /** The template that a request following this answer must use. */
        successor: maybe(z.string()),
      }),
    ),
    /** A request that this template accepts. */
    example: z.string(),
  }),
);
export const templates = later(() => z.array(template()).openapi("Templates"));
export type TemplateView = z.infer<ReturnType<typeof template>>;
