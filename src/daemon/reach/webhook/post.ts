/** Posts an event to a webhook. Follows no redirect, and goes to no private address unless it may. */
import type dns from "node:dns";
import http from "node:http";
import https from "node:https";
import type net from "node:net";
import { guardedLookup, isPrivate, literalIn, PrivateAddress } from "./addresses.ts";

export interface Posted {
  status: number;
  retryAfter: string | null;
}

export interface Target {
  url: URL;
  allowPrivate: boolean;
  /** For tests: in place of the system's names. */
  lookup?: typeof dns.lookup;
}

const PATIENCE_MS = 15_000;
/** Of the response, only its status counts. */
const MOST_BYTES = 64 * 1024;

export async function post(
  { url, allowPrivate, lookup }: Target,
  headers: Record<string, string>,
  body: string,
): Promise<Posted> {
  const literal = literalIn(url);
  if (!allowPrivate && literal !== null && isPrivate(literal)) throw new PrivateAddress(literal, literal);
  const guard = allowPrivate ? (lookup as net.LookupFunction | undefined) : guardedLookup(lookup);
  const { request } = url.protocol === "https:" ? https : http;
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: "POST",
      headers: { ...headers, "content-length": String(Buffer.byteLength(body)) },
      agent: false, // a connection that is kept could belong to an address of before
      signal: AbortSignal.timeout(PATIENCE_MS),
      ...(guard ? { lookup: guard } : {}),
    });
    sent.on("error", reject);
    sent.on("response", (response) => {
      const { statusCode: status = 0, headers } = response;
      resolve({ status, retryAfter: headers["retry-after"] ?? null });
      let bytes = 0;
      response.on("error", () => {});
      response.on("data", (part: Buffer) => {
        bytes += part.length;
        if (bytes > MOST_BYTES) response.destroy();
      });
    });
    sent.end(body);
  });
}
