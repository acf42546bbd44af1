/**
 * The door for other machines: takes calls with a person's token and passes them on to the daemon's socket. It decides
 * nothing. It only makes sure that the daemon knows that a call came this way, so that nothing but the token counts.
 */
import http from "node:http";
import https from "node:https";
import { FOR_STRANGERS, HEADERS } from "../../api/api.ts";
import { REFUSALS } from "../../core/model/errors.ts";
import { toRefusal } from "../base/fail.ts";
import type { Identify, Identity } from "./identity.ts";

export interface ProxyInput {
  socket: string;
  /** Null: without TLS, on loopback. */
  tls: { cert: string; key: string } | null;
  /** Whether callers may show a certificate of their own. */
  asksCertificate?: boolean;
  /** The daemon is not there: start it. */
  wake(): void;
  /** Who calls without a token; absent: nobody can be told. */
  identify?: Identify | undefined;
}

/** What may be passed on. All else is dropped: whatever names a person, an agent or a session. */
const PASSED = ["accept", "authorization", "content-type", "last-event-id"];
const OURS = [HEADERS.version, HEADERS.anyVersion, HEADERS.via] as const;

/** What a browser's call consists of besides: the daemon checks that it is from our own page. */
const OF_BROWSERS = [
  ...["host", "origin", "cookie", "user-agent", "accept-encoding", HEADERS.webKey],
  ...["sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest"],
];

/** Which certificate a caller shows is looked at by whoever wants to know; most show none. */
const ASKING = { requestCert: true, rejectUnauthorized: false } as const;

/** Stands for all who come through a proxy's socket: they are not slowed down by each other. */
const UNIX = "";

const PREFIX = "/api";
const MOST_CONNECTIONS = 1024;
const MOST_BODY = 8 * 1024 * 1024;

export function proxy({ socket, tls, asksCertificate, wake, identify }: ProxyInput): http.Server {
  const strangers = backOff();
  const limits = { headersTimeout: 10_000, requestTimeout: 60_000, maxHeaderSize: 16 * 1024 };
  const handle: http.RequestListener = (request, response) => {
    const address = request.socket.remoteAddress ?? UNIX;
    const path = request.url ?? "";
    const isBrowser =
      !path.startsWith(`${PREFIX}/`) ||
      (request.headers.authorization === undefined && request.headers["sec-fetch-site"] !== undefined);
    const wait_s = strangers.waits(address);
    if (wait_s > 0) {
      response.setHeader("retry-after", String(wait_s));
      return refuse(response, 429, "request.too-many", "too many calls without a token that counts");
    }
    void answerTo(request, response, { address, isBrowser, path });
  };

  async function answerTo(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    { address, isBrowser, path }: { address: string; isBrowser: boolean; path: string },
  ): Promise<void> {
    const { authorization } = request.headers;
    let identity: Identity | null = null;
    try {
      // pages are the same for everybody; a page of another site must not call in the name of its visitor
      const isCall = path.startsWith(`${PREFIX}/`) || path === "/login";
      const mayName = isBrowser || request.headers.origin === undefined;
      if (identify && authorization === undefined && isCall && mayName) identity = await identify(request);
    } catch (error) {
      strangers.note(address);
      const { code, message } = toRefusal(error);
      return refuse(response, REFUSALS[code].http, code, message);
    }
    const isOpen = request.method === "POST" && FOR_STRANGERS.has(path.slice(PREFIX.length));
    if (authorization === undefined && identity === null && !isOpen && !isBrowser) {
      strangers.note(address);
      return refuse(response, 401, "login.required", "this takes a token");
    }
    const body = await bodyOf(request);
    if (body === null) return refuse(response, 413, "request.too-large", "the body is too large");
    pass(request, response, body, { address, isBrowser, identity });
  }

  /** Sends all of it at once: the daemon may answer before it has read the body, and then closes. */
  function pass(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    body: Buffer,
    { address, isBrowser, identity }: { address: string; isBrowser: boolean; identity: Identity | null },
  ): void {
    const headers: http.OutgoingHttpHeaders = {
      host: "oj",
      [HEADERS.remote]: "1",
      [HEADERS.address]: address.replace(/^::ffff:/, ""),
      "content-length": String(body.length),
    };
    if (identity !== null) {
      headers[HEADERS.person] = encodeURIComponent(identity.person);
      headers[HEADERS.door] = identity.door;
    }
    if (isBrowser) headers[HEADERS.web] = tls === null ? "http" : "https";
    for (const name of isBrowser ? [...PASSED, ...OF_BROWSERS, ...OURS] : [...PASSED, ...OURS]) {
      const value = request.headers[name];
      if (typeof value === "string") headers[name] = value;
    }
    const { url = "", method = "GET" } = request;
    const there = {
      socketPath: socket,
      path: isBrowser ? url : url.slice(PREFIX.length),
      method,
      headers,
      agent: false,
    };
    const inner = http.request(there);
    inner.on("response", (reply) => {
      if (isSuspect(reply)) strangers.note(address);
      response.writeHead(reply.statusCode ?? 502, { ...reply.headers, connection: "close" });
      reply.pipe(response);
      reply.on("error", () => response.destroy());
    });
    inner.on("error", () => {
      if (response.headersSent) return void response.destroy();
      wake();
      refuse(response, 503, "daemon.unreachable", "the daemon is not there; try again");
    });
    response.on("close", () => inner.destroy());
    inner.end(body);
  }

  const server =
    tls === null
      ? http.createServer(limits, handle)
      : https.createServer({ ...limits, ...tls, ...(asksCertificate ? ASKING : {}) }, handle);
  server.maxConnections = MOST_CONNECTIONS;
  return server;
}

/** A token that doesn't count, or somebody who guesses codes. Not a person who only has to wait for room. */
function isSuspect({ statusCode, headers }: http.IncomingMessage): boolean {
  return statusCode === 401 || (statusCode === 429 && headers["retry-after"] === undefined);
}

/** Null: it is larger than the daemon would take. */
async function bodyOf(request: http.IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of request) {
      size += (part as Buffer).length;
      if (size > MOST_BODY) return null;
      parts.push(part as Buffer);
    }
  } catch {
    return null; // the caller is gone
  }
  return Buffer.concat(parts);
}

function refuse(response: http.ServerResponse, status: number, code: string, message: string): void {
  response.writeHead(status, {
    "content-type": "application/json",
    connection: "close",
    ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
  });
  response.end(JSON.stringify({ error: { code, message, hint: null } }));
}

const FREE_TRIES = 20;
const FORGET_MS = 60_000;
const MOST_ADDRESSES = 10_000;

/** Counts failures by address, so that a stranger only slows themselves down. */
export function backOff(now: () => number = Date.now) {
  const failures = new Map<string, { count: number; last_ms: number }>();
  return {
    note(address: string): void {
      if (address === UNIX) return;
      const known = failures.get(address);
      const count = known && now() - known.last_ms < FORGET_MS ? known.count + 1 : 1;
      failures.delete(address);
      failures.set(address, { count, last_ms: now() });
      if (failures.size > MOST_ADDRESSES)
        for (const oldest of failures.keys()) return void failures.delete(oldest);
    },
    /** Seconds until the next try is listened to. */
    waits(address: string): number {
      const known = failures.get(address);
      if (!known || known.count < FREE_TRIES) return 0;
      const until = known.last_ms + Math.min(2 ** (known.count - FREE_TRIES) * 1000, FORGET_MS);
      return Math.max(0, Math.ceil((until - now()) / 1000));
    },
  };
}
