/** MCP over stdio and over HTTP. This is a bundle of its own, loaded only by those who speak MCP. */
import { createMcpHandler } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Connection } from "../client/connection.ts";
import type { Identity } from "./asker.ts";
import { askerAtSocket, askerInDaemon } from "./asker.ts";
import { serverOf } from "./server.ts";

const MAX_MESSAGE = 4 * 1024 * 1024;
/** How many messages that make no sense we complain about. After that we are silent, since nobody may be reading. */
const COMPLAINTS = 3;

/** Serves one client until it closes our input or `abort` fires. */
export function serveAtStdio(
  identity: Identity,
  connection: Omit<Connection, "abort">,
  { say, abort }: { say(text: string): void; abort: AbortSignal },
): Promise<void> {
  const asker = askerAtSocket(identity, connection);
  let complaints = 0;
  return new Promise((resolve) => {
    const transport = new (class extends StdioServerTransport {
      override async close(): Promise<void> {
        await super.close();
        resolve();
      }
    })(process.stdin, process.stdout, { maxBufferSize: MAX_MESSAGE });
    const handle = serveStdio(() => serverOf(asker), {
      transport,
      maxSubscriptions: 1,
      onerror: ({ message }) => {
        complaints += 1;
        if (complaints <= COMPLAINTS) say(`mcp: ${message.slice(0, 300)}`);
      },
    });
    abort.addEventListener("abort", () => void handle.close(), { once: true });
  });
}

/** What the daemon provides for one exchange: who is calling, and a way to call the routes on their behalf. */
export interface Exchange {
  identity: Identity;
  fetch(request: Request): Promise<Response>;
  headers: Record<string, string>;
}

export interface HttpDoor {
  serve(request: Request, exchange: Exchange): Promise<Response>;
  close(): Promise<void>;
}

/** Each call is independent: there are no MCP sessions that could be lost or pile up. */
export function httpDoor(input: { maxBytes: number; onerror(error: Error): void }): HttpDoor {
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const exchange = authInfo?.extra?.exchange as Exchange;
      return serverOf(askerInDaemon(exchange.identity, exchange));
    },
    { maxRequestBodySize: input.maxBytes, maxSubscriptions: 16, onerror: input.onerror },
  );
  return {
    serve(request, exchange) {
      const authInfo = { token: "", clientId: "", scopes: [], extra: { exchange } };
      return handler.fetch(request, { authInfo });
    },
    close: handler.close,
  };
}
