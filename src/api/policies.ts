/** Policies over HTTP: what there is, what counts, what was answered and why. */
import { z } from "@hono/zod-openapi";
import { decisionId, folder, later, projectName } from "./basics.ts";
import { problem } from "./runbooks.ts";

/** Where the caller is: for a decision of which it is not known where it was asked. */
export const explainQuery = z.object({ cwd: folder.optional() });
export type ExplainQuery = z.infer<typeof explainQuery>;

export const policyQuery = z.object({ cwd: folder, project: projectName });
export type PolicyQuery = z.infer<typeof policyQuery>;

/** `on`: it counts. `new` and `changed`: its file was not accepted as it is now. */
const state = later(() => z.enum(["on", "off", "new", "changed", "expired"]));

const policy = later(() =>
  z.object({
    name: z.string(),
    kind: z.enum(["deny", "ask", "approve", "answer"]),
    state: state(),
    hash: z.string(),
    /** Its file; or the job, crew or session that it was remembered for. */
    file: z.string(),
    /** 0 if it is in no file. */
    line: z.number(),
    text: z.string(),
  }),
);

export const policies = later(() =>
  z
    .object({
      policies: z.array(policy()),
      /** The files that have policies, or problems with them. */
      files: z.array(
        z.object({
          file: z.string(),
          state: z.enum(["accepted", "new", "changed", "yours"]),
          problems: z.array(problem()),
        }),
      ),
    })
    .openapi("Policies"),
);
export type PolicyList = z.infer<ReturnType<typeof policies>>;
export type PolicyView = PolicyList["policies"][number];

export const acceptBody = z
  .object({ cwd: folder, project: projectName, files: z.array(folder).max(100).default([]) })
  .strict();
export type AcceptBody = z.input<typeof acceptBody>;

export const accepted = later(() =>
  z
    .object({
      files: z.array(
        z.object({
          file: z.string(),
          /** Whether that changed anything; what is accepted already is not accepted again. */
          is_new: z.boolean(),
          /** From the text that was accepted before to this one. */
          diff: z.string(),
          hash: z.string(),
          /** The `irreversible` blocks that are no longer on the list, because the file no longer has them. */
          dropped: z.array(z.string()),
        }),
      ),
    })
    .openapi("AcceptedPolicies"),
);
export type Accepted = z.infer<ReturnType<typeof accepted>>;

export const switchBody = z
  .object({ cwd: folder, project: projectName, name: z.string().min(1).max(80), on: z.boolean() })
  .strict();
export type SwitchBody = z.infer<typeof switchBody>;

export const policyLog = later(() =>
  z
    .array(
      z.object({
        decision: decisionId,
        name: z.string(),
        hash: z.string(),
        text: z.string(),
        at_ms: z.number(),
        /** What was decided, and about what. */
        outcome: z.string(),
        title: z.string(),
      }),
    )
    .openapi("PolicyLog"),
);
export type PolicyLog = z.infer<ReturnType<typeof policyLog>>;

export const policyFindings = later(() =>
  z
    .object({
      decision: decisionId,
      /** The policy that answered it; null if none did. */
      answered_by: z.string().nullable(),
      /** Every policy that counts now, those that fit first. */
      findings: z.array(
        z.object({
          name: z.string(),
          kind: z.enum(["deny", "ask", "approve", "answer"]),
          fits: z.boolean(),
          why: z.string(),
          /** The bound that is reached, so that a person is asked. */
          bound: z.string().nullable(),
        }),
      ),
    })
    .openapi("PolicyFindings"),
);
export type PolicyFindings = z.infer<ReturnType<typeof policyFindings>>;

export const suggestions = later(() =>
  z
    .array(
      z.object({
        name: z.string(),
        /** HCL. */
        text: z.string(),
        /** Those that it rests on. */
        decisions: z.array(z.string()),
        answers: z.number(),
        /** On how many days, and in how many jobs or sessions. */
        days: z.number(),
        jobs: z.number(),
      }),
    )
    .openapi("PolicySuggestions"),
);
export type PolicySuggestions = z.infer<ReturnType<typeof suggestions>>;

const LONGEST_POLICIES = 1024 * 1024;

/** Without a text: those that are suggested, or else those that are written in the project. */
export const tryBody = z
  .object({
    cwd: folder,
    project: projectName,
    text: z.string().max(LONGEST_POLICIES).optional(),
    suggested: z.boolean().optional(),
  })
  .strict();
export type TryBody = z.input<typeof tryBody>;

const outcome = later(() =>
  z.object({
    answered: z.number(),
    /** How many answers of people it was tried on. */
    of: z.number(),
    agreed: z.number(),
    disagreed: z.array(z.object({ id: decisionId, policy: z.string(), would: z.string(), was: z.string() })),
    saved_per_hour: z.number(),
  }),
);
export const tried = later(() => outcome().openapi("TriedPolicies"));
export type TriedPolicies = z.infer<ReturnType<typeof tried>>;

/** The rule that would be remembered for an approval: the same for its job and for the project. */
export const rememberable = later(() =>
  z
    .object({
      decision: decisionId,
      /** Null if there can be none; `why` says why. */
      rule: z
        .object({
          name: z.string(),
          /** HCL. */
          text: z.string(),
          /** What is remembered is the text with this hash, and nothing else. */
          hash: z.string(),
          /** Whom it counts for until that ends: `job fix/cart`, `crew builders`, `session-4f2a…`. */
          asker: z.string(),
          /** Where it is written if it counts in the project; and why it can't be. */
          file: z.string(),
          problem: z.string().nullable(),
        })
        .nullable(),
      why: z.string().nullable(),
      tried: outcome().nullable(),
    })
    .openapi("RememberableRule"),
);
export type Rememberable = z.infer<ReturnType<typeof rememberable>>;

export const rememberBody = z
  .object({ scope: z.enum(["job", "project"]), hash: z.string().min(8).max(64) })
  .strict();
export type RememberBody = z.infer<typeof rememberBody>;

export const suggestionParam = z.object({ key: z.string().regex(/^[0-9a-f]{16}$/) });

export const suggestion = later(() =>
  z
    .object({
      /** Stays the same while the rule's words change with what is answered. */
      key: z.string(),
      project: z.string(),
      name: z.string(),
      /** The calls that it is about, in short. */
      what: z.string(),
      /** HCL. */
      text: z.string(),
      /** What is accepted is the text with this hash, and nothing else. */
      hash: z.string(),
      /** Where it is written; and why it can't be now. */
      file: z.string(),
      problem: z.string().nullable(),
      answers: z.number(),
      /** On how many days, and in how many jobs or sessions. */
      days: z.number(),
      jobs: z.number(),
      /** The latest of those that it rests on. */
      decisions: z.array(z.object({ id: decisionId, title: z.string(), by: z.string(), at_ms: z.number() })),
      tried: tried(),
    })
    .openapi("Suggestion"),
);
export type SuggestionView = z.infer<ReturnType<typeof suggestion>>;
export const suggested = later(() => z.array(suggestion()).openapi("Suggestions"));

export const suggestionBody = z.object({ hash: z.string().length(64) }).strict();
export type SuggestionBody = z.infer<typeof suggestionBody>;
