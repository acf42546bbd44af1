/**
 * What a request to the page's door must be before anything else is looked at: by its head alone, and the same for every path. A page
 * of another site must neither read nor change anything here, whatever name it made point at this machine.
 */
import type { IncomingHttpHeaders } from "node:http";
import { Refusal } from "../../core/errors.ts";

interface Head {
  method?: string | undefined;
  headers: IncomingHttpHeaders;
}

/** The names that this door goes by; a name that somebody else points at us is none of them. */
export function hostsOf(port: number): string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`];
}

/** Throws the refusal. */
export function guard({ method = "", headers }: Head, hosts: readonly string[]): void {
  const { host = "", origin } = headers;
  if (!hosts.includes(host)) throw forbidden("this is no name of ours");
  if (origin !== undefined && origin !== `http://${host}`) throw forbidden("another page may not ask here");
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none")
    throw forbidden("another page may not lead here: type the address, or oj web in a terminal");
  if (headers["x-oj-agent-token"] !== undefined) throw forbidden("this door is for people");
  if (method === "GET" || method === "HEAD") return;
  if (method !== "POST" && method !== "DELETE") throw forbidden(`${method} is not taken here`);
  if (origin === undefined) throw forbidden("a change must say which page it comes from");
  if (method === "POST" && !/^application\/json\b/i.test(headers["content-type"] ?? ""))
    throw new Refusal("request.not-json", "the body must be JSON", "send content-type: application/json");
}

function forbidden(message: string): Refusal {
  return new Refusal("request.forbidden", message);
}
