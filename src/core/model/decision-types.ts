/** What a decision is made of. The rules about it are in `decision.ts`; its default options in `options.ts`. */
import type { Receipt } from "../roles/people.ts";
import type { Rule } from "../roles/rule.ts";
import type { Fixed } from "./fixed.ts";
import type { AgentId, CrewId, DecisionId, JobId, MachineName, RunId } from "./ids.ts";
import type { Recipient } from "./queue-types.ts";
import type { Escalation, Reach } from "./reach-types.ts";
import type { OnCancel, Urgency } from "./runbook.ts";

export const SOURCES = [
  "idle",
  "dead",
  "error",
  "gate",
  "approval",
  "question",
  "plan",
  "step",
  "request",
] as const;
export type Source = (typeof SOURCES)[number];

export const URGENCIES = ["high", "medium", "low"] as const satisfies readonly Urgency[];

/** Who waits for the answer. A requester is an agent or script outside any job, or a person at a shell. */
export type Owner = Fixed<
  | { kind: "job"; id: JobId; name: string; step: string }
  | { kind: "crew"; id: CrewId; name: string }
  | { kind: "requester"; id: string; name: string }
>;

/** What choosing an option does. It travels with the option, so nobody has to know what "3" means. */
export type Action = Fixed<
  /** `ends`: the step stands aside, so that the job ends after it. */
  | { type: "continue"; ends?: "failed" | "cancelled" }
  | { type: "goto"; step: string }
  | { type: "cancel" }
  | { type: "fail" }
  | { type: "dismiss" }
  /** With a successor: whoever asked must follow up with a request of that template. */
  | { type: "answer"; successor?: string }
  | { type: "nudge" }
  /** The agent asked in its last words: it is told the person's. */
  | { type: "reply" }
  | { type: "done" }
  | { type: "retry" }
  | { type: "skip" }
  | { type: "approve" }
  | { type: "deny" }
  | { type: "choose"; label: string }
  | { type: "other" }
  | { type: "accept"; mode: "clear" | "auto" | "manual" }
  | { type: "revise" }
  | { type: "keys"; keys: string }
>;

export type Option = Fixed<{
  key: string;
  label: string;
  description: string | null;
  recommended: boolean;
  action: Action;
  /** What it leads to can be undone, so that a deadline may choose it; false: it can't, as the runbook says. */
  reversible?: boolean;
  /** Of a request: it is a no, as its template says. */
  declines?: true;
}>;

export type Question = Fixed<{
  question: string;
  header: string | null;
  multi_select: boolean;
  options: { label: string; description: string | null }[];
  /** Whoever asks takes one of the options and no other words. Absent where own words are an answer, and in older records. */
  closed?: true;
}>;

/** The exact thing an agent wants to do; approvals are bound to its hash. */
export type ExactAction = Fixed<{
  tool: string;
  input: unknown;
  sha256: string;
  /** What it would do to a file. Absent if it changes none that we can tell, and in older records. */
  diff?: FileDiff;
  /** Whoever asked takes a Yes or a No to it, but no change. Absent where it may be changed, and in older records. */
  as_is?: true;
}>;

/** What an action would change in a file, as the file was when the agent asked. */
export type FileDiff = Fixed<{
  /** As the agent named it. */
  path: string;
  /** The hunks of a unified diff; empty if nothing would change. */
  text: string;
  /** The file does not exist yet. */
  is_new: boolean;
  /** How many lines of the diff were left out at its end, because it was too long. */
  cut: number;
  /** Why the diff shows only the action's own texts, without the lines around them; null if it shows those too. */
  unread: string | null;
}>;

/**
 * Doors that answers come by. An oj that is older than a door shows its name as text and does nothing by it: so a door
 * of people may be added. An answer that no person gave must not look like one there: see `core/rights/writers.ts`.
 */
export const VIAS = [
  "cli",
  "tui",
  "web",
  "slack",
  "mail",
  "push",
  "ntfy",
  "telegram",
  "api",
  "hook",
  "terminal",
  "policy",
  "escalation",
  "ssh",
  "proxy",
  "tailscale",
] as const;
export type Via = (typeof VIAS)[number];

/** Doors that say themselves who comes in. */
export const VOUCHING = ["ssh", "proxy", "tailscale"] as const satisfies readonly Via[];
export type VouchingDoor = (typeof VOUCHING)[number];

export type Answer = Fixed<
  {
    chosen: number | null;
    choices: number[][];
    labels: string[];
    text: string | null;
    /** If several questions were answered in free text: one text per question. */
    texts?: (string | null)[];
    message: string | null;
    by: string;
    /** Who that is for the decision's rule, if it isn't the name that was given. */
    who?: string;
    via: Via;
    resolved_at_ms: number;
    /** The policy that answered in a person's place, as it was written then. */
    policy?: { name: string; hash: string; text: string };
    /** Signed with a passkey, where the rule asks for that. */
    passkey?: Receipt;
  } & Partial<Edit>
>;

/** The input that a person put in place of the one that the agent asked about, and the hash of the call with it. */
export interface Edit {
  input: Record<string, unknown>;
  input_sha256: string;
}

export const DECISION_STATES = [
  "pending",
  "resolved",
  "dismissed",
  "superseded",
  "withdrawn",
  "expired",
] as const;
export type DecisionState = (typeof DECISION_STATES)[number];
export type DeliveryState = "none" | "owed" | "delivered" | "acknowledged" | "failed";

export type Delivery = Fixed<{
  state: DeliveryState;
  attempts: number;
  error: string | null;
  at_ms: number | null;
}>;

/** An answer on hold: it can still be taken back, and the decision stays pending until it goes out. */
export type Held = Fixed<{
  given: {
    choices: number[][];
    option: string | null;
    text: string | null;
    texts?: (string | null)[];
    message: string | null;
    input?: Record<string, unknown>;
  };
  answer: Answer;
  held_at_ms: number;
  release_at_ms: number;
}>;

/** What one of several people has said. A later word of the same person takes the place of the earlier one. */
export type Vote = Fixed<{
  /** Who it was, as far as rules are concerned: at the socket that is its own user, whatever name was given. */
  who: string;
  /** They came with a token: their vote counts as long as their roles let them answer. */
  member?: true;
  given: Held["given"];
  answer: Answer;
}>;

/** Somebody is on it (a claim), or wants to hear of it later (a snooze): until then the clock of the level is paused. */
export type Pause = Fixed<{
  by: string;
  via: Via;
  from_ms: number;
  until_ms: number;
}>;

/** Why a decision ended without an answer. */
export type Ending = Fixed<{
  reason: string;
  by: string;
  at_ms: number;
}>;

export type Decision = Fixed<{
  id: DecisionId;
  project: string;
  source: Source;
  state: DecisionState;
  title: string;
  context: string;
  fields: Record<string, unknown>;
  urgency: Urgency;
  owner: Owner;
  agent_id: AgentId | null;
  requested_by: string | null;
  /** The hooked session that asked, if any. */
  session: string | null;
  /** The session that the request says it comes from, if no hook had reported that session yet. */
  claimed_session?: string;
  /** The step of a job whose script asked. */
  asked_in?: AskedIn;
  template: string | null;
  /** The dialog that this is about; an answer is bound to it. */
  prompt_key: string | null;
  blocks: string[];
  on_cancel: OnCancel;
  /** What happened to the work that it blocked, in words; null while it is pending, or if it blocked nothing. */
  aftermath: string | null;
  parent: DecisionId | null;
  /** The bead that it belongs to, where a request names one instead of a decision. */
  parent_bead?: string;
  predecessor: DecisionId | null;
  supersedes: DecisionId | null;
  superseded_by: DecisionId | null;
  /** The queue that its outcome goes into, if nothing else takes it to whoever asked. */
  recipient: Recipient | null;
  questions: Question[];
  action: ExactAction | null;
  options: Option[];
  created_at_ms: number;
  /** Where its work runs, or where it was asked; absent where the log has one machine. */
  machine?: MachineName;
  /** The first look at it while it was pending; absent if nobody looked. */
  seen?: Look;
  /** How often an answer was taken back; absent if none was. */
  undone?: number;
  /** Who may answer, and how many it takes; absent: whoever may answer in the project, and one of them. */
  rule?: Rule;
  /** Whose work asks: who started it, or who asked. Only with a rule. */
  sponsor?: string;
  /** What people have said so far, where it takes several. */
  votes?: Vote[];
  held: Held | null;
  answer: Answer | null;
  /** Why it ended without a person's answer. If a deadline chose its default, `answer` has what was chosen. */
  ended: Ending | null;
  delivery: Delivery;
  /** Absent until it was routed, and where nobody is configured to hear of decisions. */
  reach?: Reach;
  /** What happens while nobody answers; absent if nothing does. */
  escalation?: Escalation;
  deadline_at_ms?: number;
  /** The key of the option that is taken at the deadline; absent: it stays pending. */
  default?: string;
  claimed?: Pause;
  snoozed?: Pause;
  /** It has waited for longer than the person's settings allow, since then; absent until then. */
  stale_since_ms?: number;
  /** When a request that nobody answers expires by itself; absent: it doesn't. */
  closing?: Closing;
  /** Whoever asked does not wait for it, and says what goes on meanwhile; absent: they wait. */
  aside?: Aside;
  /** Why they wait for it after all; absent: they don't, or did from the beginning. */
  promoted?: Promotion;
  /** How many wait for the answer, because the same was asked again meanwhile; absent: one. */
  count?: number;
  /** Those who asked the same after the first, and whether each has the answer. */
  repeats?: Repeat[];
  /** For a request: the folder of the project where it was made. Absent in older records. */
  root?: string;
  /** Its texts were erased, by whom and when; absent: they were not. */
  erased?: { by: string; at_ms: number };
  /** The bead that mirrors it, in the project in this folder, and the state that it shows; absent if there is none. */
  bead?: { id: string; root: string; shows: DecisionState };
}>;

export type Aside = Fixed<{ meanwhile: string | null }>;

/** `is_routed`: somebody has looked who hears of that. */
export type Promotion = Fixed<{ reason: string; at_ms: number; is_routed?: true }>;

/** `key` tells the askers of one decision apart. */
export type Repeat = Fixed<{ key: string; at_ms: number; state: "waiting" | "acknowledged" | "failed" }>;

/** The time counts from when it was asked, or from when a person last let go of it. */
export type Closing = Fixed<{ after_ms: number; from_ms: number; at_ms: number }>;

export type Look = Fixed<{ by: string; via: Via; at_ms: number }>;

/** The step whose script asked, and the run of that step; a step that is entered again has a new run. */
export interface AskedIn {
  job_id: JobId;
  step: string;
  run_id: RunId;
}

/** The template of the request that must follow this decision, given its answer. */
export function successorOf({ answer, options }: Pick<Decision, "answer" | "options">): string | null {
  const action = answer?.chosen == null ? undefined : options[answer.chosen - 1]?.action;
  return action?.type === "answer" ? (action.successor ?? null) : null;
}

/** Whether whoever asked goes on with other work, as far as is known. */
export function isAside({ aside, promoted }: Pick<Decision, "aside" | "promoted">): boolean {
  return aside !== undefined && promoted === undefined;
}

/** Whether anything waits for the answer: whoever asked, or the work that it says it blocks. */
export function isBlocking(decision: Pick<Decision, "aside" | "promoted" | "blocks">): boolean {
  return !isAside(decision) || decision.blocks.length > 0;
}

/** It blocks work now, and nobody has looked yet who hears of that. */
export function isUnroutedPromotion({ promoted, blocks }: Pick<Decision, "promoted" | "blocks">): boolean {
  return promoted !== undefined && promoted.is_routed === undefined && blocks.length === 0;
}

/** How much it may disturb somebody: what blocks nothing waits, whatever its own urgency. */
export function attentionOf(
  decision: Pick<Decision, "aside" | "promoted" | "blocks"> & { urgency: Urgency },
): Urgency {
  return isBlocking(decision) ? decision.urgency : "low";
}
