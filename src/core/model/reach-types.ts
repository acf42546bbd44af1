/** What is recorded about reaching people: who hears of a decision, by which channel, and what happens while nobody answers. */
import type { Fixed } from "./fixed.ts";
import type { DecisionId } from "./ids.ts";

export const CHANNEL_KINDS = [
  "desktop",
  "tmux",
  "slack",
  "mail",
  "push",
  "ntfy",
  "telegram",
  "webhook",
  "exec",
] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

/** What happens while nobody answers, as a runbook declares it. Recorded with the decision, so that an edit changes none. */
export type EscalationDef = Fixed<{
  name: string;
  levels: LevelDef[];
  /** How often it starts again from the first level: 0 to 5. */
  repeat: number;
  /** How long "I'm on it" stops the clock of the level. */
  claim_for_ms: number;
  /** `working`: the clock of a level runs only within the hours of whoever was notified. */
  clock: "working" | "always";
  /** From creation; null: there is none. */
  deadline_ms: number | null;
  /** The key of the option that is taken at the deadline; null: it stays pending. */
  default: string | null;
}>;

export type LevelDef = Fixed<{
  /** People, groups, and rotas as `@name`. */
  notify: string[];
  /** Names of channels; null: those of the route, else every one that the person has. */
  via: string[] | null;
  remind_ms: number | null;
  next_ms: number | null;
}>;

/** How far away a deadline may be. */
export const LONGEST_DEADLINE_MS = 366 * 86_400_000;

/** How long a claim or a snooze may last. */
export const LONGEST_CLAIM_MS = 30 * 86_400_000;

/** How far an escalation has come. */
export type Escalation = Fixed<{
  def: EscalationDef;
  /** Counted from 0; null before the first level has begun, and when none is left. */
  level: number | null;
  /** How often it has started again from the first level. */
  round: number;
  /** When its clock was last set: what is due is due so long after it, even if somebody sets the machine's clock. */
  since_ms: number;
  remind_at_ms: number | null;
  /** When the next level begins, or the first one again. */
  next_at_ms: number | null;
  /** No level is left: only the deadline still counts. */
  is_over: boolean;
  /** A route gave it: whom the route names is told besides. Absent: it is the decision's own. */
  is_given?: true;
}>;

/** Facts about the escalation of the decision with this id. */
interface OfDecision {
  id: DecisionId;
  project: string;
}

export type EscalationFact = OfDecision & EscalationChange;

type EscalationChange =
  /** A route gave the decision an escalation that it did not have when it was created. */
  | {
      type: "escalation:given";
      escalation: EscalationDef;
      deadline_at_ms: number | null;
      default: string | null;
    }
  /** `level` is null if none is left. `passed` are the levels at which nobody could be reached. */
  | ({ type: "escalation:advanced"; level: number | null; round: number; passed: number[] } & LevelTimes)
  | { type: "escalation:reminded"; level: number };

export interface LevelTimes {
  remind_at_ms: number | null;
  next_at_ms: number | null;
}

export const NOTICE_STATES = ["owed", "sent", "changed", "failed"] as const;
export type NoticeState = (typeof NOTICE_STATES)[number];

/**
 * `instead`: the channel before it failed. `digest`: one message about several decisions. `outcome`: what became of it, for
 * the person who asked. `promoted`: whoever asked went on with other work, and waits now.
 */
export type NoticeReason = "asked" | "level" | "reminder" | "instead" | "digest" | "outcome" | "promoted";

/** One message to one person or room on one channel. */
export type Notice = Fixed<{
  /** Unique within its decision, and the same for every try: what is sent again is recognised by it. */
  key: string;
  /** The channel as it is configured: `slack`, `webhook.audit`. */
  channel: string;
  kind: ChannelKind;
  /** The person's name; null for a room. */
  person: string | null;
  /** The people it is for: only they may answer. Empty where nobody answers. */
  names: string[];
  /** The address, as people know it. */
  to: string;
  reason: NoticeReason;
  state: NoticeState;
  /** Failures on record since it was owed or last sent. */
  attempts: number;
  error: string | null;
  at_ms: number;
  /** What the channel needs in order to change the message; null if it can't be changed. */
  ref: string | null;
  /** The face of the decision that the message shows (see `faceOf`); null before it was sent. */
  shows: string | null;
  /** The face that could not be shown, so that nobody tries again; null if there is none. */
  gave_up: string | null;
  /** Not to be tried before: the service said so, or the last try failed. */
  retry_at_ms: number | null;
  /** A digest goes out at this time, with everything that waits for it. */
  digest_at_ms?: number;
  /** When it was sent, however often it was rewritten since. */
  sent_at_ms?: number;
  /** Every decision that the message is about, if there are several. */
  together?: DecisionId[];
  /** The notice that this one stands in for. */
  instead_of?: string;
  /** Nobody knows whether it arrived: the response was lost, or the daemon died. */
  is_unsure?: true;
  /** It tells of what happens rather than whom it waits for: sent even if the decision is settled by then. */
  is_log?: boolean;
}>;

/** A notice as it is owed, before anything was tried. */
export type NewNotice = Omit<
  Notice,
  | "state"
  | "attempts"
  | "error"
  | "at_ms"
  | "ref"
  | "shows"
  | "gave_up"
  | "retry_at_ms"
  | "sent_at_ms"
  | "together"
  | "is_unsure"
>;

/** Somebody who could not be reached, and why. */
export type Missed = Fixed<{ name: string; why: string }>;

/** Who was told of a decision. Absent until it was routed, and where nothing is configured. */
export type Reach = Fixed<{ notices: Notice[]; missed: Missed[] }>;

export type NoticeFact = {
  id: DecisionId;
  project: string;
} /** `promoted`: these are for those who hear that it blocks work now. */ & (
  | { type: "notice:owed"; notices: NewNotice[]; missed: Missed[]; promoted?: true }
  /** `together`: every decision in the message, if there are several. */
  | { type: "notice:sent"; key: string; ref: string | null; shows: string; together?: DecisionId[] }
  | { type: "notice:changed"; key: string; ref: string | null; shows: string }
  /** Nobody knows whether the first message arrived. */
  | { type: "notice:unsure"; key: string }
  /** `retry_at_ms` is null if it is not tried again. `face`: what should have been shown; null: the first message. */
  | { type: "notice:failed"; key: string; error: string; face: string | null; retry_at_ms: number | null }
);
