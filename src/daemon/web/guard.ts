/**
 * Checks every request to the page's door before anything else, by its headers alone and the same for every path. A
 * page of another site must neither read nor change anything here, whatever host name it made point at this machine.
 */
import type { IncomingHttpHeaders } from "node:http";
import { Refusal } from "../../core/model/errors.ts";

interface Head {
  method?: string | undefined;
  url?: string | undefined;
  headers: IncomingHttpHeaders;
}

/**
 * The host names of this door, each with the origin of its pages: those of this machine, and the one by which the person
 * says that it is reached from elsewhere. A name that somebody else points at us is not among them.
 */
export function originsOf(port: number, webUrl: string | null): ReadonlyMap<string, string> {
  const local = [`127.0.0.1:${port}`, `localhost:${port}`];
  const origins = new Map(local.map((host) => [host, `http://${host}`]));
  if (webUrl !== null && URL.canParse(webUrl)) {
    const { host, origin } = new URL(webUrl);
    if (!origins.has(host)) origins.set(host, origin);
  }
  return origins;
}

/** Throws a refusal if the request is not allowed. */
export function guard({ method = "", url = "", headers }: Head, origins: ReadonlyMap<string, string>): void {
  const { host = "", origin } = headers;
  if (!origins.has(host)) throw forbidden("this host name is not ours");
  if (origin !== undefined && origin !== origins.get(host))
    throw forbidden("requests from other pages are refused");
  const site = headers["sec-fetch-site"];
  const isOwn = site === undefined || site === "same-origin" || site === "none";
  if (!isOwn && !isFollowedLink({ method, url, headers }))
    throw forbidden("links from other pages are refused: type the address, or run oj web in a terminal");
  if (headers["x-oj-agent-token"] !== undefined) throw forbidden("this address is for people, not agents");
  if (method === "GET" || method === "HEAD") return;
  if (method !== "POST" && method !== "DELETE") throw forbidden(`${method} is not allowed here`);
  if (origin === undefined) throw forbidden("a change must say which page it comes from");
  if (method === "POST" && !/^application\/json\b/i.test(headers["content-type"] ?? ""))
    throw new Refusal("request.not-json", "the body must be JSON", "send content-type: application/json");
}

/**
 * Whether a person clicked a link on another site that leads to the bare page. That page is the same for everybody, and
 * shows nothing until its own calls send the cookie, which was not sent with this request. Requests in a frame, or for
 * anything but the page, don't count.
 */
function isFollowedLink({ method, url, headers }: Head): boolean {
  const { "sec-fetch-mode": mode, "sec-fetch-dest": dest } = headers;
  return method === "GET" && url === "/" && mode === "navigate" && dest === "document";
}

function forbidden(message: string): Refusal {
  return new Refusal("request.forbidden", message);
}
