/**
 * Talks to an OpenID provider: what it says about itself, its keys, and codes for tokens. It may be away, slow or lying:
 * every call has its limits (`call.ts`), and goes only to where the issuer may send us.
 */
import type { JsonWebKey } from "node:crypto";
import type { OidcConfig } from "../../core/reach/config-types.ts";
import type { Clock } from "../../ports.ts";
import { ask, patience } from "./call.ts";
import type { Claims } from "./id-token.ts";
import { claimsOf, headerOf, keyFor } from "./id-token.ts";
import { OidcProblem } from "./problem.ts";

export interface Provider {
  /** Where a browser is sent to log in. */
  authorizeUrl(input: {
    redirect_uri: string;
    state: string;
    nonce: string;
    challenge: string;
  }): Promise<string>;
  /** Exchanges a code, once, for what the provider says about the person. */
  claims(input: { code: string; redirect_uri: string; verifier: string; nonce: string }): Promise<Claims>;
}

interface Parts {
  config: OidcConfig;
  secret(file: string): Promise<string>;
  clock: Clock;
}

interface Metadata {
  authorization_endpoint: string;
  token_endpoint: string;
  jwks_uri: string;
  /** Whether the secret goes into the body, because the provider doesn't take it in a header. */
  inBody: boolean;
}

const KEEP_MS = 3_600_000;
/** Keys that we don't know are looked for at most this often, however many tokens name one. */
const LOOK_AGAIN_MS = 10_000;
const MOST_KEYS = 50;

export function oidcProvider({ config, secret, clock }: Parts): Provider {
  const { issuer, client_id, client_secret_file } = config;
  let known: { metadata: Metadata; at: number } | null = null;
  let keys: { all: JsonWebKey[]; at: number } | null = null;
  /** Whoever comes meanwhile waits for the same answer: a provider that hangs is asked once, not by everybody. */
  let asking: Promise<Metadata> | null = null;
  const inTime = patience(clock, new URL(issuer).host);

  async function metadata(): Promise<Metadata> {
    if (known && clock.monotonic() - known.at < KEEP_MS) return known.metadata;
    asking ??= inTime(readMetadata).finally(() => {
      asking = null;
    });
    return asking;
  }

  async function readMetadata(abort: AbortSignal): Promise<Metadata> {
    const said = await ask(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`, abort);
    if (said.issuer !== issuer)
      throw new OidcProblem(`${issuer} calls itself ${JSON.stringify(said.issuer)?.slice(0, 120)}`);
    const methods = said.token_endpoint_auth_methods_supported;
    const inBody =
      Array.isArray(methods) &&
      !methods.includes("client_secret_basic") &&
      methods.includes("client_secret_post");
    const [authorization_endpoint, token_endpoint, jwks_uri] = [
      addressIn(said, "authorization_endpoint", issuer),
      addressIn(said, "token_endpoint", issuer),
      addressIn(said, "jwks_uri", issuer),
    ];
    known = { metadata: { authorization_endpoint, token_endpoint, jwks_uri, inBody }, at: clock.monotonic() };
    return known.metadata;
  }

  async function readKeys(abort: AbortSignal): Promise<JsonWebKey[]> {
    const { keys: all } = await ask((await metadata()).jwks_uri, abort);
    const fit = (Array.isArray(all) ? all : []).filter((it) => typeof it === "object" && it !== null);
    keys = { all: fit.slice(0, MOST_KEYS) as JsonWebKey[], at: clock.monotonic() };
    return keys.all;
  }

  /** A key that is not known may be new: providers change them. */
  async function keyOf(token: string, abort: AbortSignal): Promise<JsonWebKey> {
    const header = headerOf(token);
    const age = keys === null ? Number.POSITIVE_INFINITY : clock.monotonic() - keys.at;
    const kept = keys === null || age > KEEP_MS ? null : keyFor(header, keys.all);
    const key = kept ?? (age > LOOK_AGAIN_MS ? keyFor(header, await readKeys(abort)) : null);
    if (key === null)
      throw new OidcProblem("the ID token is signed with a key that the provider doesn't have");
    return key;
  }

  return {
    async authorizeUrl({ redirect_uri, state, nonce, challenge }) {
      const url = new URL((await metadata()).authorization_endpoint);
      const given = { response_type: "code", scope: "openid email", client_id, redirect_uri, state, nonce };
      const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
      for (const [name, value] of Object.entries({ ...given, ...pkce })) url.searchParams.set(name, value);
      return url.href;
    },

    claims: ({ code, redirect_uri, verifier, nonce }) =>
      inTime(async (abort) => {
        const { token_endpoint, inBody } = await metadata();
        const form = new URLSearchParams({
          grant_type: "authorization_code",
          code,
          redirect_uri,
          code_verifier: verifier,
        });
        const password = client_secret_file === null ? null : await secret(client_secret_file);
        const headers: Record<string, string> = {};
        if (password === null || inBody) form.set("client_id", client_id);
        if (password !== null && inBody) form.set("client_secret", password);
        if (password !== null && !inBody) headers.authorization = basic(client_id, password);
        const { id_token } = await ask(token_endpoint, abort, { method: "POST", headers, body: form });
        if (typeof id_token !== "string") throw new OidcProblem("the provider sent no ID token");
        const key = await keyOf(id_token, abort);
        return claimsOf(id_token, key, { issuer, client_id, nonce, now_ms: clock.now() });
      }),
  };
}

/** RFC 6749, 2.3.1: both parts are encoded as in a form. */
function basic(id: string, secret: string): string {
  const coded = (text: string) => new URLSearchParams([["", text]]).toString().slice(1);
  return `Basic ${Buffer.from(`${coded(id)}:${coded(secret)}`).toString("base64")}`;
}

/** An address that the provider names: with TLS, or on this machine if the provider is there too. */
function addressIn(said: Record<string, unknown>, name: string, issuer: string): string {
  const text = said[name];
  const url = typeof text === "string" && URL.canParse(text) ? new URL(text) : null;
  const isSafe = url?.protocol === "https:" || (url !== null && url.origin === new URL(issuer).origin);
  if (!url || !isSafe || url.username !== "") throw new OidcProblem(`the provider names no usable ${name}`);
  return url.href;
}
