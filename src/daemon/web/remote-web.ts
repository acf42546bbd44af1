/**
 * The inbox in the browsers of people on other machines, who come through `oj serve`. A login rests on a person's token:
 * it allows what the token allows, and ends with it. Only `oj serve` leads here, over the socket.
 */
import type http from "node:http";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { HEADERS } from "../../api/api.ts";
import { Refusal } from "../../core/model/errors.ts";
import { findToken, isUseNews, useToken } from "../../core/rights/people.ts";
import type { WebMember } from "../http/callers.ts";
import type { Service } from "../http/service.ts";
import { listenerOf } from "../http/wire/listener.ts";
import { balancedWords } from "../oidc/balanced.ts";
import type { MemberLogin, Secrets } from "../secrets/logins.ts";
import { bearerOf } from "../secrets/person-tokens.ts";
import { endWithLogins, namedAtDoor, tokenFor } from "./door-login.ts";
import { visitDoor } from "./doors.ts";
import { guard } from "./guard.ts";
import type { PageServer, WebServer } from "./serving.ts";
import { answer, bodyOf, refuse, secretsIn, setCookie, setHeaders, withoutClaims } from "./serving.ts";

const API = "/api/";
const BEGIN = "/oidc/begin";

/** Who logs in, with which token; `next` is where the page goes then. */
type Found = Pick<MemberLogin, "user" | "token" | "isOwn"> & { next?: string };

/** A call that `oj serve` passed on for a browser. */
export function isRemoteWeb({ headers }: Pick<http.IncomingMessage, "headers">): boolean {
  return headers[HEADERS.web] !== undefined;
}

export function startRemoteWeb(app: OpenAPIHono, service: Service, page: PageServer): WebServer {
  const { engine, logins, ports, providerLogins } = service;
  endWithLogins(service);

  async function logIn(incoming: http.IncomingMessage, outgoing: http.ServerResponse): Promise<void> {
    const given = loginIn(await bodyOf(incoming));
    const { next, ...found } =
      given.token === null ? await byProvider(incoming, outgoing) : await byToken(given.token, incoming);
    const name = cookieOf(incoming);
    const { cookie, key } = await logins.enterAs({
      ...found,
      browser: incoming.headers["user-agent"] ?? "",
      before: secretsIn(incoming, name),
    });
    setCookie(outgoing, name, cookie, isSecure(incoming));
    answer(outgoing, 200, { key, ...(next !== undefined && { next }) });
  }

  async function byToken(token: string, incoming: http.IncomingMessage): Promise<Found> {
    const named = await namedAtDoor(incoming, service);
    if (named !== null) {
      const made = { name: named.name, how: `named by ${named.door}`, address: addressOf(incoming) };
      return { user: named.name, token: await tokenFor(made, service), isOwn: true };
    }
    const found = await engine.read((state) => bearerOf(state, `Bearer ${token}`, ports.clock.now()));
    if (found === null) throw outside("this token is unknown, or no longer counts", incoming);
    return { user: found.name, token: found.token };
  }

  async function byProvider(incoming: http.IncomingMessage, outgoing: http.ServerResponse): Promise<Found> {
    const { person, next, provider, cookie } = await providerLogins.enter(incoming.headers);
    outgoing.appendHeader("set-cookie", cookie);
    const made = { name: person, how: `logged in with ${provider}`, address: addressOf(incoming) };
    return { user: person, token: await tokenFor(made, service), isOwn: true, next };
  }

  /** The page goes there by itself: a form may lead nowhere, and a redirect can't be followed by a script. */
  async function begin(incoming: http.IncomingMessage, outgoing: http.ServerResponse): Promise<void> {
    const { location, cookie } = await providerLogins.begin(incoming.headers, nextIn(await bodyOf(incoming)));
    outgoing.appendHeader("set-cookie", cookie);
    answer(outgoing, 200, { location });
  }

  async function logOut(incoming: http.IncomingMessage, outgoing: http.ServerResponse): Promise<void> {
    const name = cookieOf(incoming);
    const login = logins.find(secretsIn(incoming, name));
    if (login?.token !== undefined) await logins.end(login.id);
    setCookie(outgoing, name, "", isSecure(incoming));
    answer(outgoing, 200, { provider: providerLogins.offered(incoming.headers) });
  }

  async function memberOf(login: { id: string; user: string; token?: string }): Promise<WebMember | null> {
    const { token } = login;
    if (token === undefined) return null; // of a browser on this machine: it is worth nothing here
    const now = ports.clock.now();
    const found = await engine.read((state) => findToken(state, token, now));
    if (found === null || found.member.id !== login.user || found.member.kind !== undefined) return null;
    if (isUseNews(found.token, now))
      engine.run((state, moment) => useToken(state, token, moment)).catch(() => undefined);
    const { expires_at_ms } = found.token;
    return { rights: found.rights, trust: { member: found.member.id, token, expires_at_ms } };
  }

  /** The page then asks for a token; where a door names the person, it asks for nothing. */
  function outside(
    message: string,
    { headers }: http.IncomingMessage,
    how: "token" | "door" = "token",
  ): Refusal {
    const provider = providerLogins.offered(headers);
    return new Refusal("login.required", message, "oj token create", { with: how, provider });
  }

  /** A login lies in the folder of one daemon: another one doesn't know it. */
  async function whyOutside({ cookie, key }: Secrets): Promise<string> {
    const hint = cookie === "" || key === "" ? "" : await balancedWords(engine);
    return hint === "" ? "this browser is not logged in" : `this browser is not logged in here. ${hint}`;
  }

  async function call(incoming: http.IncomingMessage, outgoing: http.ServerResponse): Promise<void> {
    const secrets = secretsIn(incoming, cookieOf(incoming));
    const login = logins.find(secrets);
    const named = await namedAtDoor(incoming, service);
    const isTheirs = login !== null && (named === null || named.name === login.user);
    const member = isTheirs ? await memberOf(login) : null;
    if (login === null || member === null)
      throw outside(await whyOutside(secrets), incoming, named === null ? "token" : "door");
    incoming.url = incoming.url?.slice(API.length - 1) ?? "/";
    incoming.rawHeaders = withoutClaims(incoming.rawHeaders);
    const known = { webUser: login.user, webLogin: login.id, webMember: member };
    await listenerOf((request, env) => app.fetch(request, { ...env, ...known }))(incoming, outgoing);
  }

  return async (incoming, outgoing) => {
    try {
      setHeaders(outgoing);
      const { method } = incoming;
      const name = (incoming.url ?? "").split("?")[0] ?? "";
      // from the provider's page, so from another site: the door has checks of its own
      if (name.startsWith("/oidc/") && name !== BEGIN)
        return await visitDoor(
          providerLogins.door,
          { hosts: providerLogins.hosts(), setting: "web.serve_url" },
          incoming,
          outgoing,
        );
      guard(incoming, originsAt(incoming));
      outgoing.setHeader("cache-control", "no-store");
      if (name.startsWith(API)) return await call(incoming, outgoing);
      if (name === "/login" && method === "POST") return await logIn(incoming, outgoing);
      if (name === BEGIN && method === "POST") return await begin(incoming, outgoing);
      if (name === "/logout" && method === "POST") return await logOut(incoming, outgoing);
      if (method === "GET" || method === "HEAD") return await page(name, incoming, outgoing);
      throw new Refusal("request.not-found", "there is no such page", null);
    } catch (error) {
      refuse(service, incoming, outgoing, error as Error);
    }
  };
}

/**
 * The page's own origin. Which names lead here is not known, and need not be: without the cookie and the key, which
 * browsers keep for each origin apart, another name is a stranger. Behind a proxy the page may have TLS although we have
 * none.
 */
function originsAt({ headers }: Pick<http.IncomingMessage, "headers">): ReadonlyMap<string, string> {
  const { host = "", origin } = headers;
  const isProxied = headers[HEADERS.web] !== "https" && origin === `https://${host}`;
  const scheme = headers[HEADERS.web] === "https" || isProxied ? "https" : "http";
  return new Map(host === "" ? [] : [[host, `${scheme}://${host}`]]);
}

function isSecure({ headers }: Pick<http.IncomingMessage, "headers">): boolean {
  return headers[HEADERS.web] === "https" || (headers.origin?.startsWith("https:") ?? false);
}

/** With its prefix, no other host of the domain can set it. A page without TLS, on loopback, can't have one. */
function cookieOf(incoming: Pick<http.IncomingMessage, "headers">): string {
  const has = (name: string) => new RegExp(`(?:^|;\\s*)${name}=`).test(incoming.headers.cookie ?? "");
  return isSecure(incoming) || (incoming.headers[HEADERS.web] !== "https" && has(SECURE)) ? SECURE : PLAIN;
}

const SECURE = "__Host-oj";
const PLAIN = "oj-person";

/** Null: no token, but whoever has just come back from the provider. */
function loginIn(text: string): { token: string | null } {
  const { token, provider } = fieldsOf(text);
  if (provider === true) return { token: null };
  if (typeof token === "string") return { token: token.trim() };
  throw new Refusal("request.invalid", "a login must be { token }");
}

function nextIn(text: string): unknown {
  return fieldsOf(text).next;
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function addressOf({ headers }: Pick<http.IncomingMessage, "headers">): string {
  return String(headers[HEADERS.address] ?? "").slice(0, 64);
}
