/**
 * Where agents' hooks report: HTTP on loopback, each with its token. Bare `node:http`, as every tool call of every agent comes
 * through here. Nothing else is offered on this port.
 */
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { Refusal } from "../core/errors.ts";
import type { Hooks } from "./hooks.ts";
import type { Ports } from "./ports.ts";
import { rateLimits } from "./rates.ts";
import type { Refused } from "./refused.ts";
import type { Tokens } from "./tokens.ts";

export interface HookServer {
  port: number;
  url: string;
  close(): Promise<void>;
}

const PATH = "/hooks/agent";
const MAX_BODY = 4 * 1024 * 1024;
/** An agent at work makes some tens a second; a flood is turned away before it is even read. */
const HOOKS_PER_MINUTE = 6000;
const HOOKS_AT_ONCE = 500;

/** Listens on the port that this state folder has always had, since running agents' hooks point at it. */
export async function startHookServer(
  input: { portFile: string; hooks: Hooks; tokens: Tokens; refused: Refused },
  ports: Pick<Ports, "clock" | "journal">,
): Promise<HookServer> {
  const rates = rateLimits(ports.clock, HOOKS_PER_MINUTE, HOOKS_AT_ONCE);
  let own = "";
  const server = http.createServer((request, response) => {
    handle(request, response).catch((error: Error) => {
      if (!(error instanceof Refusal))
        ports.journal.error("a hook failed", { error: error.message, stack: error.stack });
      answer(response, error instanceof Refusal && error.code === "request.too-many" ? 429 : 500, {});
    });
  });
  server.requestTimeout = 0; // a person may take days
  server.headersTimeout = 10_000;

  async function handle(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const { host, origin } = request.headers;
    if (host !== own || origin !== undefined) return answer(response, 403, { error: "not from here" });
    if (request.method !== "POST" || request.url !== PATH)
      return answer(response, 404, { error: "not found" });
    const agent_id = input.tokens.agentOf(String(request.headers["x-oj-agent-token"] ?? ""));
    if (agent_id === null) {
      await input.refused.note(null, `POST ${PATH}`, "unknown token");
      return answer(response, 401, { error: "unknown token" });
    }
    rates.take(agent_id);
    const body = await bodyOf(request);
    if (body === null) return answer(response, 413, { error: "too large" });
    const gone = new AbortController();
    response.once("close", () => {
      if (!response.writableFinished) gone.abort(); // an abort is costly, and every tool call ends here
    });
    const sent = new Promise<boolean>((resolve) => {
      response.once("close", () => resolve(response.writableFinished && response.statusCode === 200));
    });
    const reply = await input.hooks.handle(agent_id, parsed(body), gone.signal, sent);
    answer(response, 200, reply);
  }

  const port = await listen(server, input.portFile, ports);
  own = `127.0.0.1:${port}`;
  return {
    port,
    url: `http://${own}${PATH}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function listen(
  server: http.Server,
  portFile: string,
  { journal }: Pick<Ports, "journal">,
): Promise<number> {
  const kept = Number(fs.existsSync(portFile) ? fs.readFileSync(portFile, "utf8") : 0) || 0;
  const bind = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, "127.0.0.1", () => {
        server.removeListener("error", reject);
        resolve();
      });
    });
  await bind(kept).catch(async (error: Error) => {
    journal.warn("the hooks' port is taken; agents that run now can only be answered by keys", {
      port: kept,
      error: error.message,
    });
    await bind(0);
  });
  const { port } = server.address() as AddressInfo;
  if (port !== kept) fs.writeFileSync(portFile, `${port}\n`, { mode: 0o600 });
  return port;
}

function bodyOf(request: http.IncomingMessage): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let size = 0;
    request.on("data", (part: Buffer) => {
      size += part.length;
      if (size <= MAX_BODY) parts.push(part);
    });
    request.once("end", () => resolve(size > MAX_BODY ? null : Buffer.concat(parts)));
    request.once("error", reject);
  });
}

/** What is no JSON means nothing to us, and the agent goes on. */
function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return null;
  }
}

function answer(response: http.ServerResponse, status: number, body: object): void {
  if (response.writableEnded || response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
  });
  response.end(text);
}
