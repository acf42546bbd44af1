/** The typed calls to a daemon on another machine, which `oj serve` lets in: HTTP with a person's token. */
import type { IncomingMessage } from "node:http";
import type { ApiClient } from "../api/api.ts";
import { Refusal } from "../core/model/errors.ts";
import type { Call, Reply } from "./calls.ts";
import { callsOf } from "./calls.ts";
import { AWAY } from "./disconnect.ts";

export interface Remote {
  /** Without `/api`. */
  url: string;
  token: string;
  via: string;
  abort?: AbortSignal | undefined;
  /** As of `Caller`. */
  dated?: ((as_of_ms: number) => void) | undefined;
}

/** It starts nothing there, and speaks to any version: the API only grows. */
export function remoteClient({ url, token, via, abort, dated }: Remote): ApiClient {
  const send = (call: Call) => sendTo(url, call);
  const more = { ...(abort ? { abort } : {}), ...(dated ? { dated } : {}) };
  return callsOf({ user: "", via, bearer: token, anyVersion: true, send, ...more });
}

/** Loaded only here: a call to the daemon on this machine does without these modules. */
async function sendTo(url: string, call: Call): Promise<Reply> {
  const target = new URL(`${url.replace(/\/+$/, "")}/api${call.path}`);
  const { request } = target.protocol === "https:" ? await import("node:https") : await import("node:http");
  const body = call.body ?? "";
  const headers = { ...call.headers, "content-length": String(Buffer.byteLength(body)) };
  let met = false;
  const explained = (error: unknown): unknown => {
    if (call.abort?.aborted) return error;
    const { message, code = "" } = error as NodeJS.ErrnoException;
    if (met && LOST.includes(code))
      return new Refusal(
        "daemon.unreachable",
        `the connection to ${target.origin} was lost: ${message}`,
        null,
      );
    const words = `${target.origin} can't be reached: ${message}`;
    const details = reached.has(target.origin) ? { reason: AWAY } : null;
    return new Refusal("server.unreachable", words, "oj context list", details);
  };
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(target, { method: call.method, headers, signal: call.abort }, resolve);
      sent.setSocketKeepAlive(true, ALIVE_MS);
      sent.on("socket", (socket) =>
        socket.once(target.protocol === "https:" ? "secureConnect" : "connect", () => {
          met = true;
        }),
      );
      sent.on("error", reject);
      sent.end(body);
    });
    met = true;
    reached.add(target.origin);
    const heads = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
    const headersOf = Object.fromEntries(heads);
    return { status: response.statusCode ?? 0, headers: headersOf, body: explaining(response, explained) };
  } catch (error) {
    throw explained(error);
  }
}

/** The servers that have answered this process: one that can't be reached later is away. */
const reached = new Set<string>();

/** A connection over which nothing came for this long is looked after: whoever was at its other end may be gone. */
const ALIVE_MS = 30_000;

/** How a connection ends that did exist. */
const LOST = ["ECONNRESET", "EPIPE", "ETIMEDOUT", "ECONNABORTED", "EHOSTUNREACH", "ENETUNREACH", "ENETDOWN"];

async function* explaining(
  parts: AsyncIterable<Uint8Array>,
  explained: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  try {
    yield* parts;
  } catch (error) {
    throw explained(error);
  }
}
