/**
 * A login at the provider, from the browser that is sent there to the person whom it names when the browser is back. It is
 * bound to the browser that began it, to one address of ours, and good once. What is under way is noted in the browser
 * alone, so strangers who begin logins take up no room here.
 */
import { createHash, randomBytes } from "node:crypto";
import type { OidcConfig } from "../../core/reach/config-types.ts";
import type { Clock } from "../../ports.ts";
import type { Engine } from "../engine/engine.ts";
import { personOf } from "./person.ts";
import { OidcProblem } from "./problem.ts";
import type { Provider } from "./provider.ts";
import { oidcProvider } from "./provider.ts";
import type { Seal } from "./seal.ts";
import { startSlots } from "./slots.ts";

/** What the login is for: a code that `oj login` shows, or the browser itself. */
export type Purpose = { flow: "device"; code: string } | { flow: "browser"; next: string };

export interface OidcSettings {
  oidc: OidcConfig | null;
  webUrl: string | null;
  /** Where people reach `oj serve`. */
  serveUrl: string | null;
}

export interface At {
  /** Our own address, as the settings have it. */
  base: string;
  oidc: OidcConfig;
  /** Whose browser it is; null: not known. */
  address: string | null;
}

export interface Finished {
  person: string;
  /** Names this login. */
  state: string;
  purpose: Purpose;
}

export interface Exchange {
  /** Where the browser is sent, and the note that it keeps. */
  begin(at: At, purpose: Purpose): Promise<{ location: string; note: string }>;
  /** Whom the provider names, for the browser that has the note. */
  finish(at: At, query: URLSearchParams, note: string): Promise<Finished>;
  /** The login that a browser began; null: none, or too long ago. */
  stateIn(note: string): string | null;
}

interface Parts {
  secret(file: string): Promise<string>;
  engine: Pick<Engine, "read">;
  clock: Clock;
  seal: Seal;
}

interface Begun {
  state: string;
  nonce: string;
  verifier: string;
  base: string;
  purpose: Purpose;
}

const MOST_USED = 10_000;

export function startExchange({ secret, engine, clock, seal }: Parts): Exchange {
  const slots = startSlots();
  const used = new Set<string>();
  let known: { of: OidcConfig; provider: Provider } | null = null;

  function providerOf(of: OidcConfig): Provider {
    if (known?.of !== of) known = { of, provider: oidcProvider({ config: of, secret, clock }) };
    return known.provider;
  }

  /** The provider takes a code once as well; this is sooner. */
  function use(state: string): void {
    if (used.has(state)) throw new OidcProblem("this login was used already", "again");
    used.add(state);
    for (const oldest of used.size > MOST_USED ? used : []) {
      used.delete(oldest);
      break;
    }
  }

  return {
    async begin({ base, oidc, address }, purpose) {
      const [state, nonce, verifier] = [secretText(), secretText(), secretText()];
      const challenge = createHash("sha256").update(verifier).digest("base64url");
      const given = { redirect_uri: callbackAt(base), state, nonce, challenge };
      const location = await slots(address, () => providerOf(oidc).authorizeUrl(given));
      return { location, note: seal.close("begun", { state, nonce, verifier, base, purpose }) };
    },

    async finish({ base, oidc, address }, query, note) {
      const begun = seal.open<Begun>("begun", note);
      if (begun === null || begun.base !== base)
        throw new OidcProblem(
          "this browser did not begin this login, or it took longer than ten minutes",
          "elsewhere",
        );
      const { state, nonce, verifier, purpose } = begun;
      if (query.get("state") !== state)
        throw new OidcProblem("this answer belongs to another login", "elsewhere");
      use(state);
      const issuer = query.get("iss"); // RFC 9207
      if (issuer !== null && issuer !== oidc.issuer) throw new OidcProblem("another provider answers here");
      const error = query.get("error");
      if (error !== null) throw new OidcProblem(`the provider says: ${error.slice(0, 120)}`, "again");
      const given = { code: query.get("code") ?? "", redirect_uri: callbackAt(base), verifier, nonce };
      const claims = await slots(address, () => providerOf(oidc).claims(given));
      return { person: await engine.read((it) => personOf(claims, oidc, it)), state, purpose };
    },

    stateIn: (note) => seal.open<Begun>("begun", note)?.state ?? null,
  };
}

function callbackAt(base: string): string {
  return `${base}/oidc/callback`;
}

function secretText(): string {
  return randomBytes(32).toString("base64url");
}
