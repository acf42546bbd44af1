/**
 * What channels need from the outside that takes a library. Each is a function that loads it, called only when such a
 * channel is configured: a daemon without channels stays as small as it is.
 */

import type { ReceivedMail } from "./core/reach/received-mail.ts";

export interface ChannelPorts {
  slack(given: SlackGiven): Promise<SlackService>;
  smtp(given: MailServer): Promise<MailSender>;
  imap(given: MailboxGiven): Promise<MailReader>;
}

export interface SlackGiven {
  /** Where the Web API is: `https://slack.com/api/`. */
  apiUrl: string;
  /** Read anew for every call, so that a new token counts at once. */
  botToken(): Promise<string>;
  appToken(): Promise<string>;
}

export interface SlackService {
  /** Calls a method of the Web API, once. Rejects with a `SlackFailure`. */
  call(method: string, args: object): Promise<Record<string, unknown>>;
  /** Answers where a click or a command said that it may be answered. Rejects with a `SlackFailure`. */
  respond(url: string, body: object): Promise<void>;
  /** Keeps a connection in Socket Mode until it is closed. */
  connect(heard: SlackHeard): SlackConnection;
}

/** What came through a socket. `ack` must be called within three seconds; some answers travel with it. */
export type SlackHeard = (
  envelope: { type: string; payload: unknown },
  ack: (payload?: object) => void,
) => void;

export interface SlackConnection {
  /** Why nothing is heard at the moment; null while there is a connection. */
  trouble(): string | null;
  close(): void;
}

/** A call that Slack refused, or that got no answer. */
export class SlackFailure extends Error {
  /**
   * Slack's own word for it (`token_revoked`), or `ratelimited`, or `no_connection`, or `no_response` if nobody knows what
   * came of it.
   */
  readonly code: string;
  readonly retryAfterMs: number | null;

  constructor(code: string, message = code, retryAfterMs: number | null = null) {
    super(message);
    this.name = "SlackFailure";
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

/** By its name: a bundle of its own has a class of its own. */
export function isSlackFailure(error: unknown): error is SlackFailure {
  return error instanceof Error && error.name === "SlackFailure";
}

/** A server that mails are sent through or read from. */
export interface MailServer {
  host: string;
  port: number;
  /** TLS from the first byte. Otherwise it is begun later if the server can, except on this machine. */
  secure: boolean;
  user: string | null;
  /** Read anew for every connection. */
  password(): Promise<string | null>;
}

export interface MailSender {
  /** Resolves once the server has taken it. Rejects with a `MailFailure`. */
  send(mail: OutgoingMail): Promise<void>;
  /** Connects and logs in, and does nothing more. */
  verify(): Promise<void>;
}

export interface OutgoingMail {
  from: { name: string; address: string };
  to: string;
  /** Where bounces go. */
  envelope_from: string;
  reply_to: string | null;
  subject: string;
  text: string;
  html: string;
  /** The same for every try. */
  message_id: string;
  in_reply_to: string | null;
  references: readonly string[];
  /** `auto-generated`, or `auto-replied` where it answers a mail. */
  automatic: string;
}

/** A mail that the server did not take, or nobody knows whether it did. */
export class MailFailure extends Error {
  /** The server's code; null if it said nothing. */
  readonly code: number | null;
  /** It may have taken the mail all the same. */
  readonly isUnsure: boolean;

  constructor(message: string, code: number | null, isUnsure = false) {
    super(message);
    this.name = "MailFailure";
    this.code = code;
    this.isUnsure = isUnsure;
  }
}

/** By its name: a bundle of its own has a class of its own. */
export function isMailFailure(error: unknown): error is MailFailure {
  return error instanceof Error && error.name === "MailFailure";
}

export interface MailboxGiven extends MailServer {
  folder: string;
  /** Resolves once a mail was dealt with; if it rejects, the mail stays unread and comes again. */
  read(mail: ReceivedMail): Promise<void>;
}

/** Keeps a connection and reads what is new, until it is closed. */
export interface MailReader {
  /** Why nothing is read at the moment; null while there is a connection. */
  trouble(): string | null;
  close(): Promise<void>;
}
