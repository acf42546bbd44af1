/** What is recorded about reaching people: who hears of a decision, by which channel, and what happens while nobody answers. */
import type { Fixed } from "./fixed.ts";

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

export const NOTICE_STATES = ["owed", "sent", "changed", "failed"] as const;
export type NoticeState = (typeof NOTICE_STATES)[number];

/** `instead`: the channel before it failed. `digest`: one message about several decisions. */
export type NoticeReason = "asked" | "level" | "reminder" | "instead" | "digest";

/** One message to one person or room on one channel. */
export type Notice = Fixed<{
  /** Unique within its decision, and the same for every try: what is sent again is recognised by it. */
  key: string;
  /** The channel as it is configured: `slack`, `webhook.audit`. */
  channel: string;
  kind: ChannelKind;
  /** The person's name; null for a room. */
  person: string | null;
  /** The address, as people know it. */
  to: string;
  reason: NoticeReason;
  state: NoticeState;
  attempts: number;
  error: string | null;
  at_ms: number;
  /** What the channel needs in order to change the message; null if it can't be changed. */
  ref: string | null;
  /** The face of the decision that the message shows (see `faceOf`); null before it was sent. */
  shows: string | null;
}>;
