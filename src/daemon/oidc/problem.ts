/** Why a login with a provider failed, and what the person can do about it: both are read in a browser. */

/** What helps: beginning again, waiting, whoever runs this server looking at its settings, an invitation. */
export type Remedy = "again" | "later" | "settings" | "invite";

export class OidcProblem extends Error {
  readonly remedy: Remedy;
  constructor(message: string, remedy: Remedy = "settings") {
    super(message);
    this.remedy = remedy;
  }
}

const WORDS: Readonly<Record<Remedy, string>> = {
  again: "Log in again from the start.",
  later:
    "Try again in a moment. If it goes on, tell whoever runs this server: the daemon's log has the details.",
  settings:
    "Tell whoever runs this server: the provider, or [oidc] in the settings, needs a look. The daemon's log has the details.",
  invite: "Ask whoever runs this server to invite you, or log in there as somebody who was invited.",
};

export function remedyWords({ remedy }: OidcProblem): string {
  return WORDS[remedy];
}
