/**
 * The server that agents' hooks report to: HTTP on loopback, each call with its agent's token. It is bare `node:http`,
 * because every tool call of every agent comes through here. The same port serves MCP, which checks its own tokens, and
 * the browser inbox, which gets everything else.
 */
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { REFUSALS, Refusal } from "../core/model/errors.ts";
import type { AgentId } from "../core/model/ids.ts";
import { mendJson } from "../core/text/safe-text.ts";
import type { Ports } from "../ports.ts";
import type { Hooks } from "./agents/hooks/hooks.ts";
import { startLanes } from "./agents/hooks/lanes.ts";
import type { Releasers } from "./engine/releasers.ts";
import { errorBody } from "./http/errors.ts";
import { bodyOf, hearOut } from "./http/incoming.ts";
import { httpLimits } from "./http/limits.ts";
import type { Localhost } from "./http/localhost.ts";
import { holdLocalhost } from "./http/localhost.ts";
import type { McpServer } from "./http/mcp.ts";
import type { Refused } from "./http/refused.ts";
import type { Tokens } from "./secrets/tokens.ts";
import type { WebServer } from "./web/serving.ts";

export interface HookServer {
  port: number;
  url: string;
  localhost: Localhost;
}

const PATH = "/hooks/agent";
const MCP_PATH = "/mcp";
const MAX_BODY = 4 * 1024 * 1024;
/** Whoever on this machine opens more connections only blocks this door; the daemon can still open its files. */
const MOST_CONNECTIONS = 4096;

/** A daemon that was killed may hold its port a moment longer than its lock. */
const PORT_FREE_WITHIN_MS = 2000;
const TRY_PORT_EVERY_MS = 25;

/** Listens on the port that this state folder has always had, since running agents' hooks point at it. */
export async function startHookServer(
  input: { portFile: string; hooks: Hooks; tokens: Tokens; refused: Refused; mcp: McpServer; web: WebServer },
  ports: Pick<Ports, "clock" | "journal">,
  releasers: Releasers,
): Promise<HookServer> {
  const lanes = startLanes(ports.clock);
  let own = "";
  const isFromHere = ({ headers }: http.IncomingMessage) =>
    headers.host === own && headers.origin === undefined;
  const server = http.createServer(httpLimits(), (request, response) => {
    if (request.url === MCP_PATH && isFromHere(request)) {
      input.mcp(request, response).catch((error) => refuse(request, response, error, null));
      return;
    }
    if (request.url !== PATH) {
      input.web(request, response).catch((error) => refuse(request, response, error, null));
      return;
    }
    const gone = new AbortController();
    const sent = new Promise<boolean>((resolve) => {
      response.once("close", () => {
        resolve(response.writableFinished && response.statusCode === 200);
        if (!response.writableFinished) gone.abort(); // only then: an abort is costly, and every tool call gets here
      });
    });
    let agent_id: AgentId | null = null;
    try {
      agent_id = callerOf(request);
      report(agent_id, request, gone.signal, sent).then(
        (reply) => answer(response, 200, reply),
        (error) => refuse(request, response, error, agent_id),
      );
    } catch (error) {
      refuse(request, response, error as Error, agent_id);
    }
  });
  server.maxConnections = MOST_CONNECTIONS;

  /** Checks everything that the headers alone can tell: most of a flood ends here. */
  function callerOf(request: http.IncomingMessage): AgentId {
    const { headers, method } = request;
    if (!isFromHere(request)) throw new Refusal("request.forbidden", "only agents report here");
    if (method !== "POST") throw new Refusal("request.not-found", `agents report here: POST ${PATH}`);
    const agent_id = input.tokens.agentOf(String(headers["x-oj-agent-token"] ?? ""));
    if (agent_id === null) throw new Refusal("request.forbidden", "this token is unknown or has expired");
    return agent_id;
  }

  async function report(
    agent_id: AgentId,
    request: http.IncomingMessage,
    gone: AbortSignal,
    sent: Promise<boolean>,
  ): Promise<object> {
    const length = Number(request.headers["content-length"] ?? MAX_BODY); // without a length it counts as the largest
    if (length > MAX_BODY) throw tooLarge();
    return lanes.pass(agent_id, length, gone, async () =>
      input.hooks.handle(agent_id, parsed(await bodyOf(request, MAX_BODY, tooLarge)), gone, sent),
    );
  }

  function refuse(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    error: Error,
    agent_id: AgentId | null,
  ): void {
    if (response.destroyed && !isBug(error)) return; // there is nobody to tell
    const refusal =
      error instanceof Refusal ? error : new Refusal("daemon.failed", "the daemon failed to do this");
    const status = REFUSALS[refusal.code].http;
    answer(response, status, errorBody(refusal), refusal.code === "request.too-large" ? request : null);
    if (isBug(error)) ports.journal.error("a hook failed", { agent_id, error: error.stack });
    else if (status < 500) void input.refused.note(agent_id, `POST ${PATH}`, refusal.message);
  }

  releasers.add("the hook server", () => close(server));
  const port = await listen(server, input.portFile, ports);
  own = `127.0.0.1:${port}`;
  const localhost = holdLocalhost(server, port, ports.journal);
  releasers.add("localhost", () => localhost.close());
  await localhost.isOurs();
  return { port, url: `http://${own}${PATH}`, localhost };
}

function close(server: http.Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function listen(
  server: http.Server,
  portFile: string,
  { clock, journal }: Pick<Ports, "clock" | "journal">,
): Promise<number> {
  const kept = Number(fs.existsSync(portFile) ? fs.readFileSync(portFile, "utf8") : 0) || 0;
  const bind = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ port, host: "127.0.0.1", backlog: MOST_CONNECTIONS }, () => {
        server.removeListener("error", reject);
        resolve();
      });
    });
  const bindKept = async () => {
    for (const until = clock.monotonic() + PORT_FREE_WITHIN_MS; ; ) {
      try {
        return await bind(kept);
      } catch (error) {
        if (kept === 0 || clock.monotonic() > until) throw error;
        await new Promise<void>((resolve) => void clock.after(TRY_PORT_EVERY_MS, resolve));
      }
    }
  };
  await bindKept().catch(async (error: Error) => {
    journal.warn(
      "the hooks' port is taken; agents that are running now can only be answered with keystrokes",
      {
        port: kept,
        error: error.message,
      },
    );
    await bind(0);
  });
  const { port } = server.address() as AddressInfo;
  if (port !== kept) fs.writeFileSync(portFile, `${port}\n`, { mode: 0o600 });
  return port;
}

/** True unless it is a refusal or a broken connection. */
function isBug(error: Error): boolean {
  return !(error instanceof Refusal) && (error as NodeJS.ErrnoException).code !== "ECONNRESET";
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(mendJson(body.toString("utf8")));
  } catch {
    throw new Refusal("request.invalid", "the report is not JSON");
  }
}

function tooLarge(): Refusal {
  return new Refusal("request.too-large", `the report is larger than ${MAX_BODY / 1024 / 1024} MB`);
}

/**
 * After a refusal we stop reading: reading the rest is what a flood would cost us. Only an agent whose report is too
 * large is read to the end, so that it can see why it was refused.
 */
function answer(
  response: http.ServerResponse,
  status: number,
  body: object,
  sender: http.IncomingMessage | null = null,
): void {
  if (response.headersSent || response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    ...(status >= 400 ? { connection: "close" } : {}),
  });
  if (sender === null) response.end(text);
  else {
    response.write(text);
    void hearOut(sender).then(() => response.end());
  }
}
