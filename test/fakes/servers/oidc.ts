/** A small OpenID provider on loopback with keys of its own. It checks what a real one checks, and lies when it is told to. */
import type { KeyObject } from "node:crypto";
import { createHash, createHmac, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export const CLIENT = { id: "oj client", secret: "s3cret:%&" };

export interface Key {
  kid: string;
  alg: "RS256" | "ES256";
  privateKey: KeyObject;
  publicKey: KeyObject;
}

export function makeKey(alg: Key["alg"]): Key {
  const pair =
    alg === "RS256"
      ? generateKeyPairSync("rsa", { modulusLength: 2048 })
      : generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { kid: randomBytes(4).toString("hex"), alg, ...pair };
}

export const coded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

export function signed(header: object, claims: object, key: Key): string {
  const text = `${coded(header)}.${coded(claims)}`;
  const how = key.alg === "ES256" ? ({ dsaEncoding: "ieee-p1363" } as const) : {};
  return `${text}.${sign("sha256", Buffer.from(text), { key: key.privateKey, ...how }).toString("base64url")}`;
}

/** As if the public key were a shared secret. */
export function signedWithPublic(claims: object, key: Key): string {
  const text = `${coded({ alg: "HS256", kid: key.kid })}.${coded(claims)}`;
  const pem = key.publicKey.export({ type: "spki", format: "pem" });
  return `${text}.${createHmac("sha256", pem).update(text).digest("base64url")}`;
}

type Claims = Record<string, unknown>;

export async function oidcServer() {
  const codes = new Map<string, { nonce: string; challenge: string; redirect_uri: string }>();
  const provider = {
    url: "",
    keys: [makeKey("RS256")] as Key[],
    /** Who logs in there. */
    claims: { email: "ana@example.com", email_verified: true, sub: "u-1" } as Claims,
    /** Makes the token that is sent. */
    token: (claims: Claims, key: Key) => signed({ alg: key.alg, kid: key.kid }, claims, key),
    metadata: {} as Claims,
    /** Answers in the provider's place. */
    instead: (_path: string, _response: http.ServerResponse) => false,
    calls: [] as string[],
    /** How many callers it has just now. */
    open: () => new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count))),
  };
  const server = http.createServer((request, response) => void handle(request, response));

  async function handle(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "", provider.url);
    provider.calls.push(url.pathname);
    if (provider.instead(url.pathname, response)) return;
    const json = (value: object, status = 200) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (url.pathname === "/.well-known/openid-configuration")
      return void json({
        issuer: provider.url,
        authorization_endpoint: `${provider.url}/authorize`,
        token_endpoint: `${provider.url}/token`,
        jwks_uri: `${provider.url}/keys`,
        ...provider.metadata,
      });
    if (url.pathname === "/keys")
      return void json({
        keys: provider.keys.map((it) => ({
          ...it.publicKey.export({ format: "jwk" }),
          kid: it.kid,
          use: "sig",
        })),
      });
    if (url.pathname === "/authorize") {
      const given = (name: string) => url.searchParams.get(name) ?? "";
      const code = randomBytes(8).toString("hex");
      const [redirect_uri, nonce, challenge] = [
        given("redirect_uri"),
        given("nonce"),
        given("code_challenge"),
      ];
      codes.set(code, { nonce, challenge, redirect_uri });
      const back = new URL(redirect_uri);
      for (const [name, value] of [
        ["code", code],
        ["state", given("state")],
      ] as const)
        back.searchParams.set(name, value);
      return void response.writeHead(302, { location: back.href }).end();
    }
    let body = "";
    for await (const part of request) body += String(part);
    const form = new URLSearchParams(body);
    const login = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? ""); // a code is good for one try
    const enc = (text: string) => encodeURIComponent(text).replace(/%20/g, "+");
    const secret = `Basic ${Buffer.from(`${enc(CLIENT.id)}:${enc(CLIENT.secret)}`).toString("base64")}`;
    const proof = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (
      !login ||
      request.headers.authorization !== secret ||
      proof !== login.challenge ||
      form.get("redirect_uri") !== login.redirect_uri
    )
      return void json({ error: "invalid_grant" }, 400);
    const now = Math.floor(Date.now() / 1000);
    const { nonce } = login;
    const claims = { iss: provider.url, aud: CLIENT.id, iat: now, exp: now + 300, nonce, ...provider.claims };
    const [key] = provider.keys;
    json({ access_token: "x", token_type: "Bearer", id_token: key ? provider.token(claims, key) : "" });
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  provider.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return provider;
}
