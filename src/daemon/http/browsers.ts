/** The browsers that get push messages. The channel that sends them keeps them; routes list, add and remove them. */
import type { PushSubscriptionBody, PushSubscriptionView } from "../../api/api.ts";

export interface Browsers {
  /** What a browser subscribes with. */
  readonly publicKey: string;
  list(): PushSubscriptionView[];
  /** A browser that is known already keeps its id. */
  add(joining: Joining): Promise<PushSubscriptionView>;
  /** Returns how many were removed. With `login: null`: those of every login. */
  remove(which: Which): Promise<number>;
}

/** One; those of a login, or of all; those that somebody had by then. */
export type Which = { id: string } | { login: string | null } | { person: string; until_ms: number };

export interface Joining {
  person: string;
  /** The login of the browser: if it ends, so do the messages. Null: it was added through the socket. */
  login: string | null;
  /** Its `User-Agent`. */
  browser: string;
  body: PushSubscriptionBody;
}
