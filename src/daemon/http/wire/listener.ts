/** Between Node's server and the routes: a request for them, and their response onto the connection. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { PlainRequest } from "./request.ts";
import { PlainResponse } from "./response.ts";

/** What the routes see of a call besides the request. A call from inside the daemon has no `incoming`. */
export interface Bindings {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
}

export type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

export function listenerOf(
  respond: (request: Request, bindings: Bindings) => Response | Promise<Response>,
): Listener {
  return async (incoming, outgoing) => {
    const request = requestOf(incoming);
    if (request === null) return void outgoing.writeHead(400).end();
    outgoing.on("error", () => {}); // the connection broke: its end says so
    outgoing.once("close", () => {
      if (!outgoing.writableFinished) request.leave();
    });
    try {
      const response = await respond(request as unknown as Request, { incoming, outgoing });
      await send(response as Response | PlainResponse, outgoing);
    } catch {
      if (!outgoing.headersSent) outgoing.writeHead(500).end();
      else outgoing.destroy();
    }
  };
}

function requestOf(incoming: IncomingMessage): PlainRequest | null {
  try {
    return new PlainRequest(incoming);
  } catch {
    return null;
  }
}

async function send(response: Response | PlainResponse, outgoing: ServerResponse): Promise<void> {
  const { status } = response;
  const content = response instanceof PlainResponse ? response.content : response.body;
  const headers = fieldsOf(response);
  if (content === null) return void outgoing.writeHead(status, headers).end();
  headers["content-type"] ??= "text/plain; charset=UTF-8";
  if (typeof content === "string" || content instanceof Uint8Array) {
    headers["content-length"] ??= Buffer.byteLength(content);
    return void outgoing.writeHead(status, headers).end(content);
  }
  outgoing.writeHead(status, headers).flushHeaders();
  await pass(content as ReadableStream<Uint8Array>, outgoing);
}

function fieldsOf({ headers }: Response | PlainResponse): OutgoingHttpHeaders {
  const fields: OutgoingHttpHeaders = Object.fromEntries(headers as Iterable<[string, string]>);
  if (headers.has("set-cookie")) fields["set-cookie"] = headers.getSetCookie();
  return fields;
}

/** As fast as the other side reads. Once it has gone, nobody needs the rest. */
async function pass(content: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  if (outgoing.destroyed) return content.cancel();
  const reader = content.getReader();
  let wake = () => {};
  const cancel = () => {
    reader.cancel().catch(() => {});
    wake();
  };
  outgoing.once("close", cancel);
  for (;;) {
    const { done, value } = await reader.read();
    if (outgoing.destroyed) return;
    if (done) break;
    if (outgoing.write(value) || outgoing.destroyed) continue;
    await new Promise<void>((resolve) => {
      wake = resolve;
      outgoing.once("drain", resolve);
    });
  }
  outgoing.off("close", cancel).end();
}
