/** A request that came in over HTTP, with what the routes use of the platform's `Request`. Its body is read elsewhere. */
import type { IncomingMessage } from "node:http";
import { PlainHeaders } from "./headers.ts";

export class PlainRequest {
  readonly method: string;
  readonly url: string;
  readonly #incoming: IncomingMessage;
  #headers: PlainHeaders | null = null;
  #gone: AbortController | null = null;
  #hasLeft = false;

  /** Throws if it names no address that could be one of ours. */
  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
    this.method = incoming.method ?? "GET";
    this.url = urlOf(incoming.url ?? "", incoming.headers.host ?? "");
  }

  /** As they were sent: what was taken out of the raw ones must not count, and Node keeps the others from before. */
  get headers(): PlainHeaders {
    this.#headers ??= headersOf(this.#incoming.rawHeaders);
    return this.#headers;
  }

  /** Aborted when the caller has gone. Most calls never ask for it. */
  get signal(): AbortSignal {
    this.#gone ??= new AbortController();
    if (this.#hasLeft) this.#gone.abort();
    return this.#gone.signal;
  }

  leave(): void {
    this.#hasLeft = true;
    this.#gone?.abort();
  }
}

function headersOf(raw: readonly string[]): PlainHeaders {
  const headers = new PlainHeaders();
  for (let at = 0; at + 1 < raw.length; at += 2) headers.append(raw[at] ?? "", raw[at + 1] ?? "");
  return headers;
}

const PLAIN_TARGET = /^\/[!#$&-;=?-[\]_a-z~]*$/;
const DOTS = /\/\.\.?(?:[/?#]|$)/;
const PLAIN_HOST = /^[a-z0-9._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/;

/** The address in full, as the router compares it: where anything needs normalizing, `URL` does it. */
function urlOf(target: string, host: string): string {
  const isWhole = /^https?:\/\//.test(target);
  if (!isWhole && (host === "" || (target !== "" && !target.startsWith("/"))))
    throw new TypeError("not an address");
  const url = isWhole ? target : `http://${host}${target || "/"}`;
  if (!isWhole && PLAIN_HOST.test(host) && PLAIN_TARGET.test(target) && !DOTS.test(target)) return url;
  if (target.split("?")[0]?.includes("\\")) throw new TypeError("a backslash in the path"); // `URL` takes it for a slash
  const parsed = new URL(url);
  if (!isWhole && !PLAIN_HOST.test(host) && parsed.hostname !== host.replace(/:\d+$/, "").toLowerCase())
    throw new TypeError("not a host");
  return parsed.href;
}
