/**
 * What channels need from the outside that takes a library. Each is a function that loads it, called only when such a
 * channel is configured: a daemon without channels stays as small as it is.
 */

export interface ChannelPorts {
  slack(given: SlackGiven): Promise<SlackService>;
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
  /** Slack's own word for it (`token_revoked`), or `ratelimited`, or `no_response` if nobody knows what came of it. */
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
