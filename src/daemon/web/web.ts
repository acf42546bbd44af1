/**
 * Serves the browser inbox on the port that hooks report to: the page, logging in, and the daemon's routes under /api.
 */
import type http from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { HEADERS } from "../../api/api.ts";
import { REFUSALS, Refusal } from "../../core/model/errors.ts";
import { errorBody } from "../http/errors.ts";
import type { Service } from "../http/service.ts";
import type { Secrets } from "../secrets/logins.ts";
import { doorFor, visitDoor } from "./doors.ts";
import { guard, originsOf } from "./guard.ts";
import { sendMetrics } from "./metrics.ts";
import type { Page, Pages } from "./pages.ts";
import { readPages } from "./pages.ts";

export type WebServer = (incoming: http.IncomingMessage, outgoing: http.ServerResponse) => Promise<void>;

const API = "/api/";
const LOGIN = "/login";
const MAX_LOGIN_BYTES = 4096;
/** The longest that browsers keep a cookie; we decide how long it is valid. */
const COOKIE_S = 400 * 86_400;

/**
 * Nothing from other sites, no script or style inside the page, and no frames. No header here allows another origin.
 */
const HEADERS_OF_ALL = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
} as const;

/** Headers in which a call says who it is: here only the login counts. */
const CLAIMS: ReadonlySet<string> = new Set([
  HEADERS.user,
  HEADERS.via,
  HEADERS.agent,
  HEADERS.session,
  HEADERS.run,
]);

export function startWeb(app: OpenAPIHono, service: Service, dir: string): WebServer {
  const { port, logins, ports } = service;
  const cookieName = `oj-${port}`; // cookies don't tell ports apart, and there may be several daemons
  let pages: Promise<Pages> | null = null;

  function secretsOf({ headers }: http.IncomingMessage): Secrets {
    const cookies = (headers.cookie ?? "").split(/;\s*/);
    const cookie = cookies.find((it) => it.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1) ?? "";
    return { cookie, key: String(headers[HEADERS.webKey] ?? "") };
  }

  async function logIn(incoming: http.IncomingMessage, outgoing: http.ServerResponse): Promise<void> {
    const { cookie, key } = await logins.enter(
      codeIn(await bodyOf(incoming)),
      incoming.headers["user-agent"] ?? "",
      secretsOf(incoming),
    );
    const isSecure = incoming.headers.origin?.startsWith("https:") ?? false;
    const flags = `Path=/; Max-Age=${COOKIE_S}; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
    outgoing.setHeader("set-cookie", `${cookieName}=${cookie}; ${flags}`);
    answer(outgoing, 200, { key });
  }

  async function call(incoming: http.IncomingMessage, outgoing: http.ServerResponse): Promise<void> {
    const login = logins.find(secretsOf(incoming));
    if (login === null) throw new Refusal("login.required", "this browser is not logged in", "oj web");
    incoming.url = incoming.url?.slice(API.length - 1) ?? "/";
    incoming.rawHeaders = withoutClaims(incoming.rawHeaders);
    const known = { webUser: login.user, webLogin: login.id };
    const listener = getRequestListener((request, env) => app.fetch(request, { ...env, ...known }), {
      overrideGlobalObjects: false,
    });
    await listener(incoming, outgoing);
  }

  async function page(name: string, incoming: http.IncomingMessage, outgoing: http.ServerResponse) {
    pages ??= readPages(dir).catch((error: Error) => {
      pages = null;
      throw new Refusal("daemon.failed", `the page can't be read: ${error.message}`, "npm run build");
    });
    const found = (await pages).get(name);
    if (!found) throw new Refusal("request.not-found", "there is no such page", null);
    show(found, incoming, outgoing);
  }

  return async (incoming, outgoing) => {
    try {
      for (const [name, value] of Object.entries(HEADERS_OF_ALL)) outgoing.setHeader(name, value);
      const origins = originsOf(port, service.webUrl());
      const door = doorFor(service.doors, incoming);
      if (door) return await visitDoor(door, [...origins.keys()], incoming, outgoing);
      guard(incoming, origins);
      const { method } = incoming;
      const name = (incoming.url ?? "").split("?")[0] ?? "";
      outgoing.setHeader("cache-control", "no-store");
      if (await sendMetrics(service, incoming, outgoing)) return;
      if (name.startsWith(API)) return await call(incoming, outgoing);
      if (name === LOGIN && method === "POST") return await logIn(incoming, outgoing);
      if (method === "GET" || method === "HEAD") return await page(name, incoming, outgoing);
      throw new Refusal("request.not-found", "there is no such page", null);
    } catch (error) {
      refuse(incoming, outgoing, error as Error);
    }
  };

  function refuse(incoming: http.IncomingMessage, outgoing: http.ServerResponse, error: Error): void {
    const refusal =
      error instanceof Refusal ? error : new Refusal("daemon.failed", "the daemon failed to do this");
    const { method, url = "" } = incoming;
    const what = {
      method,
      path: url.split("?")[0]?.slice(0, 200),
      origin: incoming.headers.origin,
      host: incoming.headers.host,
    };
    if (error instanceof Refusal)
      ports.journal.debug("a web request was refused", { ...what, why: error.message });
    else ports.journal.error("a web request failed", { ...what, error: error.stack });
    answer(outgoing, REFUSALS[refusal.code].http, errorBody(refusal));
    const token = incoming.headers[HEADERS.agent];
    if (typeof token === "string")
      void service.refused.note(
        service.agents.tokens.agentOf(token),
        `${method} ${url.split("?")[0]}`,
        refusal.message,
      );
  }
}

function show(page: Page, incoming: http.IncomingMessage, outgoing: http.ServerResponse): void {
  const takesGzip = /\bgzip\b/.test(String(incoming.headers["accept-encoding"] ?? ""));
  const body = takesGzip ? page.gzipped : page.bytes;
  outgoing.writeHead(200, {
    "content-type": page.type,
    "content-length": body.length,
    "cache-control": page.isFixed ? "public, max-age=31536000, immutable" : "no-cache",
    vary: "accept-encoding",
    ...(takesGzip ? { "content-encoding": "gzip" } : {}),
  });
  outgoing.end(incoming.method === "HEAD" ? undefined : body);
}

/** After a refusal, nothing more is read. */
function answer(outgoing: http.ServerResponse, status: number, body: object): void {
  if (outgoing.headersSent || outgoing.destroyed) return;
  const text = JSON.stringify(body);
  outgoing.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    ...(status >= 400 ? { connection: "close" } : {}),
  });
  outgoing.end(text);
}

async function bodyOf(incoming: http.IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of incoming as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_LOGIN_BYTES) throw new Refusal("request.too-large", "this is not a login");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function codeIn(text: string): string {
  try {
    const { code } = JSON.parse(text) as { code?: unknown };
    if (typeof code === "string") return code;
  } catch {
    // reported below
  }
  throw new Refusal("request.invalid", "a login must be { code }");
}

function withoutClaims(raw: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = "", value = ""] = [raw[at], raw[at + 1]];
    if (!CLAIMS.has(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
}
