/** A decision as the API returns it, and lists of them. What calls send is in `decision-bodies.ts`. */
import { z } from "@hono/zod-openapi";
import { DECISION_STATES, VIAS } from "../core/model/decision-types.ts";
import type { RunId } from "../core/model/ids.ts";
import { OUTCOMES } from "../core/model/outcome.ts";
import type { Recipient } from "../core/model/queue-types.ts";
import { CHANNEL_KINDS, NOTICE_STATES } from "../core/model/reach-types.ts";
import {
  agentId,
  crewId,
  decisionId,
  jobId,
  later,
  maybe,
  rule,
  source,
  stringOf,
  urgency,
} from "./basics.ts";
import { error } from "./daemon.ts";
import { passkeyReceipt } from "./people.ts";

export const option = later(() =>
  z.object({
    number: z.number(),
    key: z.string(),
    label: z.string(),
    description: z.string().nullable(),
    recommended: z.boolean(),
    /** What choosing it will do, in words. */
    effect: z.string(),
    /** Whether choosing it lets an agent or a job go on with what the decision is about: first look at all of that. */
    acts: z.boolean(),
  }),
);
export type OptionView = z.infer<ReturnType<typeof option>>;

const answer = later(() =>
  z.object({
    chosen: z.number().nullable(),
    choices: z.array(z.array(z.number())),
    labels: z.array(z.string()),
    text: z.string().nullable(),
    /** Set if any of several questions was answered with a text of its own: one entry per question. */
    texts: maybe(z.array(z.string().nullable())),
    message: z.string().nullable(),
    by: z.string(),
    /** Who that is for the decision's rule, if it isn't the name that was given. */
    who: maybe(z.string()),
    via: z.enum(VIAS),
    resolved_at_ms: z.number(),
    /** Set if a person changed what the agent may run: its input in place of that in `action`, and the call's hash. */
    input: maybe(z.record(z.string(), z.unknown())),
    input_sha256: maybe(z.string()),
    /** Signed with a passkey, where the rule asks for that. */
    passkey: maybe(passkeyReceipt()),
  }),
);

/** An answer on hold. It can still be taken back, and the decision is pending until it goes out. */
const held = later(() =>
  z.object({
    given: z.object({
      choices: z.array(z.array(z.number())),
      option: z.string().nullable(),
      text: z.string().nullable(),
      texts: maybe(z.array(z.string().nullable())),
      message: z.string().nullable(),
      input: maybe(z.record(z.string(), z.unknown())),
    }),
    answer: answer(),
    held_at_ms: z.number(),
    release_at_ms: z.number(),
  }),
);

/** What an action would change in a file, as the file was when the agent asked. */
const fileDiff = later(() =>
  z.object({
    path: z.string(),
    /** The hunks of a unified diff; empty if nothing would change. */
    text: z.string(),
    is_new: z.boolean(),
    /** How many lines were left out at the end, because the diff was too long. */
    cut: z.number(),
    /** Why the diff has no lines around the change; null if it has them. */
    unread: z.string().nullable(),
  }),
);

/** Who waits for the answer. A requester is an agent or script outside any job, or a person at a shell. */
const owner = later(() =>
  z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("job"), id: jobId, name: z.string(), step: z.string() }),
    z.object({ kind: z.literal("crew"), id: crewId, name: z.string() }),
    z.object({ kind: z.literal("requester"), id: z.string(), name: z.string() }),
  ]),
);

/** Somebody is on it, or wants to hear of it later; null if nobody is. */
const pause = later(() =>
  z.object({ by: z.string(), via: z.enum(VIAS), from_ms: z.number(), until_ms: z.number() }).nullable(),
);

/** What happens while nobody answers; null if nothing does. */
const escalation = later(() =>
  z
    .object({
      name: z.string(),
      /** The level that was told last, from 1; null before the first, and where nobody could be reached. */
      level: z.number().nullable(),
      /** Of how many. */
      levels: z.number(),
      /** How often it has started again from the first level. */
      round: z.number(),
      /** When the next level is told, or the first one again; null if that won't happen, or the clock is paused. */
      next_at_ms: z.number().nullable(),
    })
    .nullable(),
);

/** What somebody said, where it takes several. */
const vote = later(() => z.object({ who: z.string(), says: z.string() }));
/** A yes, where it takes several: `choice` is the option's number, null for words alone. */
const approval = later(() => z.object({ by: z.string(), choice: z.number().nullable(), at_ms: z.number() }));

export const decision = later(() =>
  z
    .object({
      id: decisionId,
      project: z.string(),
      source,
      state: z.enum(DECISION_STATES),
      /** How it ended, more precisely than its state says: an approval is `approved` or `denied`. */
      outcome: z.enum(OUTCOMES),
      title: z.string(),
      context: z.string(),
      fields: z.record(z.string(), z.unknown()),
      urgency,
      owner: owner(),
      agent_id: agentId.nullable(),
      requested_by: z.string().nullable(),
      /** The session with our hooks that asked, if one did. */
      session: z.string().nullable(),
      /** The session that the asker named, if no hook had reported that session by then. */
      claimed_session: maybe(z.string()),
      /** The job step whose script asked, and the run of that step: entering the step again is another run. */
      asked_in: maybe(z.object({ job_id: jobId, step: z.string(), run_id: stringOf<RunId>() })),
      template: z.string().nullable(),
      /** The dialog that this decision is about. An answer is bound to it. */
      prompt_key: z.string().nullable(),
      blocks: z.array(z.string()),
      /** What happens to the work it blocks if it ends without an answer. */
      on_cancel: z.enum(["keep", "unblock"]),
      /** What happened to the work it blocked, in words. Null while the decision is pending, or if it blocked nothing. */
      aftermath: z.string().nullable(),
      /** The decision that it is a part of; a bead, if a request named one. */
      parent: z.string().nullable(),
      predecessor: decisionId.nullable(),
      supersedes: decisionId.nullable(),
      superseded_by: decisionId.nullable(),
      /** The queue that its outcome goes into, if nothing else brings it to the asker. */
      recipient: stringOf<Recipient>().nullable(),
      questions: z.array(
        z.object({
          question: z.string(),
          header: z.string().nullable(),
          multi_select: z.boolean(),
          options: z.array(z.object({ label: z.string(), description: z.string().nullable() })),
          /** Own words are no answer to it. */
          closed: maybe(z.literal(true)),
        }),
      ),
      /** The exact thing an agent wants to do; approvals are bound to its hash. */
      action: z
        .object({
          tool: z.string(),
          input: z.unknown(),
          sha256: z.string(),
          diff: maybe(fileDiff()),
          as_is: maybe(z.literal(true)),
        })
        .nullable(),
      options: z.array(option()),
      created_at_ms: z.number(),
      /** Where its work runs or where it was asked, of the machines that share the log; null if there is only one. */
      machine: z.string().nullable(),
      /** Its texts were erased, by whom and when; absent: they were not. */
      erased: maybe(z.object({ by: z.string(), at_ms: z.number() })),
      /** Since when that machine has been away; null while it is there. */
      away_since_ms: z.number().nullable(),
      /** The next six are absent where no rule says who may answer. */
      rule: maybe(rule),
      /** Whose work asks: who started it, or who asked. */
      sponsor: maybe(z.string()),
      /** Who may answer, in words. */
      who_may: maybe(z.string()),
      /** What people have said so far, where it takes several. */
      said: maybe(z.array(vote())),
      /** How many have to say yes, and those who have so far. */
      min: maybe(z.number()),
      approvals: maybe(z.array(approval())),
      held: held().nullable(),
      answer: answer().nullable(),
      /** Why it ended without a person's answer. If a deadline chose the default, `answer` says what that was. */
      ended: z.object({ reason: z.string(), by: z.string(), at_ms: z.number() }).nullable(),
      delivery: z.object({
        state: z.enum(["none", "owed", "delivered", "acknowledged", "failed"]),
        attempts: z.number(),
        error: z.string().nullable(),
        at_ms: z.number().nullable(),
      }),
      escalation: escalation(),
      /** Who is on it. */
      claimed: pause(),
      /** Who wants to hear of it later. */
      snoozed: pause(),
      deadline_at_ms: z.number().nullable(),
      /** The key of the option that is taken at the deadline; null: it stays pending. */
      default: z.string().nullable(),
      /** It is still pending after `decisions.stale_after`: since when; null if it isn't stale. */
      stale_since_ms: z.number().nullable(),
      /** When it expires by itself unless somebody answers; null: it doesn't, or somebody is on it. */
      closes_at_ms: z.number().nullable(),
      /** False: whoever asked goes on with other work, so nothing waits for the answer yet. */
      blocking: maybe(z.boolean()),
      /** What goes on meanwhile, in the words of whoever asked without waiting; null if they said nothing. */
      meanwhile: maybe(z.string().nullable()),
      /** Why it blocks work although it was asked without waiting, and since when; null if it doesn't. */
      promoted: maybe(z.object({ reason: z.string(), at_ms: z.number() }).nullable()),
      /** How many wait for the answer: the same asker asked the same again while it was pending. */
      count: maybe(z.number()),
      /** Those who asked after the first, and whether each has the answer. */
      repeats: maybe(
        z.array(
          z.object({
            key: z.string(),
            at_ms: z.number(),
            state: z.enum(["waiting", "acknowledged", "failed"]),
          }),
        ),
      ),
      /** The bead that mirrors it; null if there is none. */
      bead: z.string().nullable(),
      /** What the agent wanted to run, and what a person made of it before approving; set only then. */
      edited: maybe(z.object({ before: z.unknown(), after: z.unknown() })),
      /** The policy that answered in a person's place, if one did. */
      policy: maybe(z.object({ name: z.string(), hash: z.string() })),
      /** The template of the request that must follow this answer. */
      successor: z.string().nullable(),
      /** Who was told of it, by which kind of channel: one entry for each person and channel. */
      notices: z.array(
        z.object({
          channel: z.enum(CHANNEL_KINDS),
          /** The person, or the name of what hears of every decision. */
          to: z.string(),
          state: z.enum(NOTICE_STATES),
          at_ms: z.number(),
          error: z.string().nullable(),
        }),
      ),
      /** Why nobody was notified; null if somebody was, or if nobody is configured to be. */
      not_notified: z.string().nullable(),
    })
    .openapi("Decision"),
);
export type DecisionView = z.infer<ReturnType<typeof decision>>;

export const decisionBrief = later(() =>
  decision()
    .pick({
      id: true,
      project: true,
      source: true,
      state: true,
      title: true,
      urgency: true,
      owner: true,
      agent_id: true,
      created_at_ms: true,
      held: true,
      count: true,
      blocking: true,
    })
    .extend({
      group: z.string(),
      /** Where it takes several people: how many, and what they have said so far. */
      min: maybe(z.number()),
      said: maybe(z.array(vote())),
      /** What became of it; null while it is pending. */
      settled: z
        .object({
          outcome: z.enum(OUTCOMES),
          /** The answer in words, or why there was none; cut. */
          words: z.string(),
          by: z.string().nullable(),
          via: z.enum(VIAS).nullable(),
          at_ms: z.number(),
          delivery: decision().shape.delivery.shape.state,
        })
        .nullable(),
    })
    .openapi("DecisionBrief"),
);
/**
 * A decision in a list, with enough to choose from. `group` is the same for decisions that can be answered together.
 */
export type DecisionBrief = z.infer<ReturnType<typeof decisionBrief>>;

/** The list, and the last event it includes. */
export interface BriefList {
  seq: number;
  decisions: DecisionBrief[];
}

export const resolved = later(() =>
  z.object({ decision: decision(), option: option().nullable() }).openapi("Resolved"),
);
export type ResolveResult = z.infer<ReturnType<typeof resolved>>;

/** The result for one of several decisions answered at once: the decision, or why it failed. */
const batched = later(() =>
  z.union([
    z.object({ id: z.string(), decision: decision() }),
    z.object({ id: z.string() }).extend(error().shape),
  ]),
);
export const batch = later(() => z.array(batched()).openapi("Batch"));
export type BatchResult = z.infer<ReturnType<typeof batched>>;

/** Who and what appears in the history, for filters; each list sorted by name. */
export const historyNames = later(() =>
  z.object({ people: z.array(z.string()), projects: z.array(z.string()) }).openapi("HistoryNames"),
);
export type HistoryNames = z.infer<ReturnType<typeof historyNames>>;
