/**
 * What every channel must be able to do, and what it is given. A channel is made of a pure part (`channels/KIND/`:
 * decision → message, what comes back → answer) and of adapters; nothing else knows how a service looks.
 */
import type { DecisionView, Rememberable } from "../../api/api.ts";
import type { Via } from "../../core/model/decision-types.ts";
import type { DecisionId } from "../../core/model/ids.ts";
import type { ChannelKind, NoticeReason } from "../../core/model/reach-types.ts";
import type { ChannelConfig, Person } from "../../core/reach/config-types.ts";
import type { Delivery, MailReceipt, ReceivedMail } from "../../core/reach/received-mail.ts";
import type { Card } from "../../inbox/card/card.ts";
import type { Ports } from "../../ports.ts";
import type { Browsers } from "../http/browsers.ts";
import type { Doors } from "../http/public-door.ts";

export interface Channel {
  readonly kind: ChannelKind;
  /** As it is configured: `slack`, `webhook.audit`. */
  readonly name: string;
  /** Where it reaches this person; null if it can't. */
  addressOf(person: Person): string | null;
  /** If it writes to one room for everybody: that room. */
  readonly room: string | null;
  /** It hears of every decision, whatever the routes say: `send` first, then `change` for what happens to it. */
  readonly hearsAll?: boolean;
  /** What it sends stays on this machine, so nothing is redacted. */
  readonly isLocal?: boolean;
  /** Sends a message. Rejects with a `ChannelError`; any other error counts as one that passes. */
  send(message: Outgoing): Promise<Sent>;
  /** Rewrites what was sent: claimed, settled, delivered. Channels that can't are not asked. */
  change?(message: Outgoing, sent: string): Promise<Sent>;
  /**
   * The decision was settled while nobody knew whether the message had arrived: says what became of it to whoever may
   * have it. Absent where nothing can be said.
   */
  retract?(message: Outgoing): Promise<Sent>;
  /** What is wrong with it now, in a sentence; null: nothing. */
  check(): Promise<string | null>;
  /** If it reaches people in their browsers: which ones, and how a browser joins. */
  readonly browsers?: Browsers;
  /** If mails come in there: what becomes of one. */
  receive?(mail: ReceivedMail, delivery: Delivery): Promise<MailReceipt>;
  /** Begins to listen for answers, if answers are given there. Never rejects: trouble is told by `check`. */
  listen?(): Promise<void>;
  close(): Promise<void>;
}

export interface Sent {
  /** What `change` needs; null if the message can't be changed. */
  ref: string | null;
}

/** What a message is about. Everything in it is redacted already where the channel leaves the machine. */
export interface Outgoing {
  /** The same for every try. */
  key: string;
  reason: NoticeReason;
  decision: DecisionView;
  card: Card;
  /** False: something was redacted that might act, so nothing that acts can be approved from this message. */
  isWhole: boolean;
  /** Whom it is for; null in a room, where `names` says it. */
  person: Person | null;
  names: readonly string[];
  address: string;
  /** The decision in the person's own inbox. */
  url: string;
  /** A page with one button for each option, for this person; null where nobody in particular is meant. */
  link(option: string | null): Promise<string | null>;
  /** Where this person says "I'm on it"; null where nobody in particular is meant, or somebody is on it already. */
  claim(): Promise<string | null>;
  /** The first message about this decision that this channel sent to this address; null: this is the first. */
  earlier: string | null;
  /** Several decisions in one message (a digest); `decision` is the first of them. */
  others: readonly { decision: DecisionView; card: Card }[];
  /** Whether all of this is still so: for a channel that has to wait before it sends. */
  stands(): Promise<boolean>;
  now: number;
}

/** What a channel is made from. Heavy parts (a client library) come through ports, loaded when one is configured. */
export interface Given {
  config: ChannelConfig;
  door: Door;
  ports: Pick<Ports, "channels" | "clock" | "journal" | "random" | "notifier">;
  /** Whether the person wants nothing to ring or pop up now. */
  isQuiet(): boolean;
  /** Where people reach the web inbox, without a slash at the end. */
  base(): string;
  /** Addresses on the daemon's port that need no login. */
  doors: Pick<Doors, "open">;
  /** A page with one button for each option, or for this one; null if answers can't come by this kind of channel. */
  link(input: LinkInput): string | null;
  /** The text of a file that a `*_file` setting names. Refuses one that others may read. */
  secret(file: string): Promise<string>;
  /** A folder of its own for what must outlive the daemon and is no fact (push keys, a mail box's place). */
  dir: string;
}

export interface LinkInput {
  decision: string;
  person: string;
  kind: ChannelKind;
  option: string | null;
  /** For "I'm on it" in place of an answer. */
  isClaim?: true;
}

export type MakeChannel = (given: Given) => Promise<Channel>;

/** A message that did not get through. */
export class ChannelError extends Error {
  /** Trying again won't help: an unknown address, a revoked token. */
  readonly isFinal: boolean;
  /** When the service wants to be asked again. */
  readonly retryAfterMs: number | null;
  /** When this one message is to be tried again; others are not held up. */
  readonly delayMs: number | null;
  /** The message may have arrived all the same. */
  readonly isUnsure: boolean;
  /** It was not sent, because it no longer said how things stand. */
  readonly isOvertaken: boolean;

  constructor(
    message: string,
    how: Partial<
      Pick<ChannelError, "isFinal" | "retryAfterMs" | "delayMs" | "isUnsure" | "isOvertaken">
    > = {},
  ) {
    super(message);
    this.name = "ChannelError";
    this.isFinal = how.isFinal ?? false;
    this.retryAfterMs = how.retryAfterMs ?? null;
    this.delayMs = how.delayMs ?? null;
    this.isUnsure = how.isUnsure ?? false;
    this.isOvertaken = how.isOvertaken ?? false;
  }
}

/** By its name: a bundle of its own has a class of its own. */
export function isChannelError(error: unknown): error is ChannelError {
  return error instanceof Error && error.name === "ChannelError";
}

export interface Found {
  decision: DecisionView;
  card: Card;
  /** At home on another machine, which may know of secrets in it that this one does not. */
  isElsewhere: boolean;
}

/** What a channel may ask of the daemon when something comes back. */
export interface Door {
  /** The person with this address, of several the first that fits; null: a stranger, who is let in nowhere. */
  personBy(kind: ChannelKind, address: string, fits?: (person: Person) => boolean): Person | null;
  /** `person`: for somebody who holds a link of theirs; null also if that is no longer theirs. */
  decision(id: string, person?: string): Promise<Found | null>;
  /** Those that this person may answer, urgent and old ones first. */
  pendingFor(person: string): Promise<DecisionView[]>;
  /** Whom messages of this kind about it were for, of those who are still here. */
  addressees(id: string, kind: ChannelKind): Promise<string[]>;
  /** Where the messages of this kind about it are, as their channels keep it: also what another machine sent. */
  places(id: string, kind: ChannelKind): Promise<string[]>;
  answer(given: GivenAnswer): Promise<Answered>;
  /** "I'm on it." */
  claim(given: { id: string; person: string; via: Via }): Promise<Answered>;
  /** The rule that approving this would become, for somebody who may approve it. */
  rule(given: { id: string; person: string }): Promise<Offered>;
  /** Approves it, and lets this very rule approve the same again: until who asked has ended, or in the project. */
  remember(given: GivenRule): Promise<Answered>;
  /** A message that was taken turned out not to have arrived (a bounce, a subscription that ended). */
  failed(input: { decision_id: DecisionId; key: string; error: string }): Promise<void>;
}

export type Offered = { type: "offered"; found: Rememberable } | Extract<Answered, { type: "refused" }>;

export interface GivenRule {
  id: string;
  person: string;
  via: Via;
  /** Of the rule that the person was shown, all of it. */
  hash: string;
  scope: "job" | "project";
  /** The whole action was shown, too. */
  sawAll: boolean;
}

export interface GivenAnswer {
  id: string;
  person: string;
  via: Via;
  choices: readonly (readonly number[])[];
  option: string | null;
  text: string | null;
  texts: readonly (string | null)[];
  message: string | null;
  /** The whole action was in the message that is answered: otherwise nothing that lets somebody act is taken. */
  sawAll: boolean;
}

export type Answered =
  | { type: "taken"; decision: DecisionView }
  /** Settled already, not theirs, not shown whole …: `words` is what the person is told, privately. */
  | { type: "refused"; words: string; decision: DecisionView | null };
