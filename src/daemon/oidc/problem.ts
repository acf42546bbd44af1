/** Why a login with a provider failed, and what the person can do about it: both are read in a browser. */
import type { Engine } from "../engine/engine.ts";
import { withBalanced } from "./balanced.ts";

/**
 * What helps: beginning again (`elsewhere`: perhaps at the machine where it began), waiting, whoever runs this server
 * looking at its settings, an invitation.
 */
export type Remedy = "again" | "elsewhere" | "later" | "settings" | "invite";

export class OidcProblem extends Error {
  readonly remedy: Remedy;
  constructor(message: string, remedy: Remedy = "settings") {
    super(message);
    this.remedy = remedy;
  }
}

const AGAIN = "Log in again from the start.";

const WORDS: Readonly<Record<Remedy, string>> = {
  again: AGAIN,
  elsewhere: AGAIN,
  later:
    "Try again in a moment. If it goes on, tell whoever runs this server: the daemon's log has the details.",
  settings:
    "Tell whoever runs this server: the provider, or [oidc] in the settings, needs a look. The daemon's log has the details.",
  invite: "Ask whoever runs this server to invite you, or log in there as somebody who was invited.",
};

/** Where it may have begun at another machine, what a load balancer has to do is said as well. */
export async function remedyWords(error: Error, engine: Pick<Engine, "read">): Promise<string> {
  const remedy = error instanceof OidcProblem ? error.remedy : "elsewhere";
  return remedy === "elsewhere" ? withBalanced(engine, WORDS[remedy]) : WORDS[remedy];
}
