/** Serves MCP on the TCP port: finds out who calls, then sends the call through the same routes as everybody's. */
import type http from "node:http";
import { Readable } from "node:stream";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { HEADERS } from "../../api/api.ts";
import type { Exchange, HttpDoor } from "../../mcp/main.ts";
import type { Principal, ServiceCaller } from "./callers.ts";
import { agentOf } from "./callers.ts";
import { holderOf } from "./principal.ts";
import type { Service } from "./service.ts";
import { keepWhileTrusted } from "./while-trusted.ts";
import type { Bindings } from "./wire/listener.ts";
import { listenerOf } from "./wire/listener.ts";

export type McpServer = (incoming: http.IncomingMessage, outgoing: http.ServerResponse) => Promise<void>;

export function startMcp(app: OpenAPIHono, theirs: Service): McpServer {
  const { mcpTokens, ports, places, refused, settings } = theirs;
  let door: Promise<HttpDoor> | null = null;

  /** Loaded when the first client connects: most daemons never see one. */
  function theDoor(): Promise<HttpDoor> {
    door ??= import("../../mcp/main.ts").then(({ httpDoor }) =>
      httpDoor({
        maxBytes: settings.limits.body_kb * 1024,
        onerror: ({ message }) => ports.journal.debug("mcp", { error: message }),
      }),
    );
    return door;
  }

  async function exchangeOf(
    request: Request,
    outgoing: http.ServerResponse,
  ): Promise<{ exchange: Exchange; caller: Principal } | null> {
    const text = tokenOf(request);
    // This response, once it is out, is the receipt for an answer.
    const found = await mcpTokens.find(text);
    if (found) {
      const { name, bound, rights, member, token } = found;
      const { project, root } = bound;
      const trust = { member: member.id, token: token.id, expires_at_ms: token.expires_at_ms };
      const service = { kind: "service", name, rights, trust, ...bound } satisfies ServiceCaller;
      const env = { outgoing, service };
      keepWhileTrusted(theirs, service, outgoing);
      const identity = { project, cwd: root, named: () => name, origin: () => ({}), agent: null };
      const fetch = async (inner: Request) => app.fetch(inner, env);
      return { exchange: { identity, fetch, headers: {} }, caller: service };
    }
    const fetch = async (inner: Request) => app.fetch(inner, { outgoing });
    const agent = await agentOf(text, theirs);
    if (!agent) return null;
    const { project, root, agent_id } = agent;
    const identity = { project, cwd: root, named: () => null, origin: () => ({}), agent: agent_id };
    return { exchange: { identity, fetch, headers: { [HEADERS.agent]: text } }, caller: agent };
  }

  async function serve(request: Request, { incoming, outgoing }: Bindings): Promise<Response> {
    const found = await exchangeOf(request, outgoing);
    if (!found) {
      await refused.note(null, `${request.method} /mcp`, "unknown token");
      return failure(401, "unknown token", { "www-authenticate": "Bearer" });
    }
    try {
      const leave = places.take("mcp", holderOf(found.caller)); // most of them wait for a person
      outgoing.once("close", leave);
      if (outgoing.closed) leave();
    } catch (error) {
      return failure(429, (error as Error).message);
    }
    return (await theDoor()).serve(withBody(request, incoming), found.exchange);
  }

  return listenerOf(serve);
}

/** The same as a request of the platform, which is what the library for MCP knows. */
function withBody({ url, method, headers, signal }: Request, incoming: http.IncomingMessage): Request {
  const body = method === "GET" || method === "HEAD" ? null : Readable.toWeb(incoming);
  return new Request(url, { method, headers: [...headers], signal, body, duplex: "half" } as RequestInit);
}

function tokenOf({ headers }: Request): string {
  const [, bearer] = /^Bearer (\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  return bearer ?? headers.get(HEADERS.agent) ?? "";
}

function failure(status: number, message: string, headers: Record<string, string> = {}): Response {
  const body = JSON.stringify({ jsonrpc: "2.0", error: { code: -32000, message }, id: null });
  return new Response(body, { status, headers: { "content-type": "application/json", ...headers } });
}
