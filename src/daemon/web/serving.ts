/** What both doors for browsers share: the page's files, headers, cookies, and how a request is refused. */
import type http from "node:http";
import { HEADERS } from "../../api/api.ts";
import { REFUSALS, Refusal } from "../../core/model/errors.ts";
import { errorBody } from "../http/errors.ts";
import type { Service } from "../http/service.ts";
import type { Secrets } from "../secrets/logins.ts";
import type { Page, Pages } from "./pages.ts";
import { readPages } from "./pages.ts";

export type WebServer = (incoming: http.IncomingMessage, outgoing: http.ServerResponse) => Promise<void>;

/** Sends the file of that name. */
export type PageServer = (
  name: string,
  incoming: http.IncomingMessage,
  outgoing: http.ServerResponse,
) => Promise<void>;

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

export function setHeaders(outgoing: http.ServerResponse): void {
  for (const [name, value] of Object.entries(HEADERS_OF_ALL)) outgoing.setHeader(name, value);
}

/** Headers in which a call says who it is: here only the login counts. */
const CLAIMS: ReadonlySet<string> = new Set([
  HEADERS.user,
  HEADERS.via,
  HEADERS.agent,
  HEADERS.session,
  HEADERS.run,
  HEADERS.person,
  HEADERS.door,
  HEADERS.remote,
  HEADERS.address,
]);

export function pageServer(dir: string): PageServer {
  let pages: Promise<Pages> | null = null;
  return async (name, incoming, outgoing) => {
    pages ??= readPages(dir).catch((error: Error) => {
      pages = null;
      throw new Refusal("daemon.failed", `the page can't be read: ${error.message}`, "npm run build");
    });
    const found = (await pages).get(name);
    if (!found) throw new Refusal("request.not-found", "there is no such page", null);
    show(found, incoming, outgoing);
  };
}

export function secretsIn({ headers }: http.IncomingMessage, cookieName: string): Secrets {
  const cookies = (headers.cookie ?? "").split(/;\s*/);
  const cookie = cookies.find((it) => it.startsWith(`${cookieName}=`))?.slice(cookieName.length + 1) ?? "";
  return { cookie, key: String(headers[HEADERS.webKey] ?? "") };
}

/** An empty value takes the cookie away. */
export function setCookie(
  outgoing: http.ServerResponse,
  name: string,
  value: string,
  isSecure: boolean,
): void {
  const lasts = value === "" ? 0 : COOKIE_S;
  const flags = `Path=/; Max-Age=${lasts}; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
  outgoing.appendHeader("set-cookie", `${name}=${value}; ${flags}`);
}

/** Says why, and notes it. */
export function refuse(
  service: Pick<Service, "ports" | "refused" | "agents">,
  incoming: http.IncomingMessage,
  outgoing: http.ServerResponse,
  error: Error,
): void {
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
    service.ports.journal.debug("a web request was refused", { ...what, why: error.message });
  else service.ports.journal.error("a web request failed", { ...what, error: error.stack });
  answer(outgoing, REFUSALS[refusal.code].http, errorBody(refusal));
  const token = incoming.headers[HEADERS.agent];
  if (typeof token === "string")
    void service.refused.note(
      service.agents.tokens.agentOf(token),
      `${method} ${url.split("?")[0]}`,
      refusal.message,
    );
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
export function answer(outgoing: http.ServerResponse, status: number, body: object): void {
  if (outgoing.headersSent || outgoing.destroyed) return;
  const text = JSON.stringify(body);
  outgoing.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    ...(status >= 400 ? { connection: "close" } : {}),
  });
  outgoing.end(text);
}

export async function bodyOf(incoming: http.IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of incoming as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_LOGIN_BYTES) throw new Refusal("request.too-large", "this is not a login");
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

export function withoutClaims(raw: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = "", value = ""] = [raw[at], raw[at + 1]];
    if (!CLAIMS.has(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
}
