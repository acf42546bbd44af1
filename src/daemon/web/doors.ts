/**
 * Lets visitors in who have no login: to links in messages, to what services such as Slack send. Every door has its own
 * proof of who comes; here is what they share: the host's name, the method, the size of the body.
 */
import type http from "node:http";
import { HEADERS } from "../../api/api.ts";
import { Refusal } from "../../core/model/errors.ts";
import { bodyOf } from "../http/incoming.ts";
import type { Doors, PublicDoor, Reply } from "../http/public-door.ts";

/** The names this server is called by, and the setting that adds one. */
export interface KnownAs {
  hosts: readonly string[];
  setting: "web.url" | "web.serve_url";
}

/** The door that the path leads to. Found without waiting: what has none is refused before more of it is read. */
export function doorFor(doors: Doors, { url = "" }: Pick<http.IncomingMessage, "url">): PublicDoor | null {
  return doors.find(url.split("?", 1)[0] ?? "");
}

/** Throws a refusal if this visitor may not come in. */
export async function visitDoor(
  door: PublicDoor,
  { hosts, setting }: KnownAs,
  incoming: http.IncomingMessage,
  outgoing: http.ServerResponse,
): Promise<void> {
  const [path = "", query = ""] = (incoming.url ?? "").split("?", 2);
  const { method = "", headers } = incoming;
  if (!hosts.includes(headers.host ?? ""))
    throw new Refusal(
      "request.forbidden",
      "this host name is not ours",
      `set ${setting} to the address you use`,
    );
  if (headers[HEADERS.agent] !== undefined)
    throw new Refusal("request.forbidden", "this address is for people, not agents");
  if (!door.methods.includes(method))
    throw new Refusal("request.not-found", `${method || "this method"} is not allowed here`);
  const tooLarge = () => new Refusal("request.too-large", `the body is larger than ${door.maxBytes} bytes`);
  const body = await bodyOf(incoming, door.maxBytes, tooLarge);
  send(
    outgoing,
    method,
    await door.visit({ method, path, query: new URLSearchParams(query), headers, body }),
  );
}

function send(outgoing: http.ServerResponse, method: string, { status, headers = {}, body }: Reply): void {
  if (outgoing.destroyed) return;
  outgoing.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "cache-control": "no-store",
    ...headers,
    "content-length": Buffer.byteLength(body),
  });
  outgoing.end(method === "HEAD" ? undefined : body);
}
