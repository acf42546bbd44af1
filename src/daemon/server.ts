/** The HTTP server on the unix socket: what every request must pass before it reaches its route. */
import fs from "node:fs";
import type { Server } from "node:http";
import http from "node:http";
import type { z } from "@hono/zod-openapi";
import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { HEADERS } from "../api/api.ts";
import { REFUSALS, Refusal } from "../core/model/errors.ts";
import { meeting } from "../core/text/semver.ts";
import { version } from "../version.ts";
import type { Releasers } from "./engine/releasers.ts";
import { checkBodies, hasBody } from "./http/body.ts";
import type { Principal } from "./http/callers.ts";
import { principalOf } from "./http/callers.ts";
import { errorBody, refusalResponse } from "./http/errors.ts";
import { httpLimits } from "./http/limits.ts";
import { agentRoutes } from "./http/routes/agents.ts";
import { beadsRoutes } from "./http/routes/beads.ts";
import { claimRoutes } from "./http/routes/claims.ts";
import { daemonRoutes } from "./http/routes/daemon.ts";
import { answerRoutes } from "./http/routes/decision/answers.ts";
import { readingRoutes } from "./http/routes/decision/reading.ts";
import { requestRoutes } from "./http/routes/decision/requests.ts";
import { eventRoutes } from "./http/routes/events.ts";
import { failedRoutes } from "./http/routes/failed.ts";
import { injectRoutes } from "./http/routes/inject.ts";
import { jobRoutes } from "./http/routes/jobs.ts";
import { mailRoutes } from "./http/routes/mail.ts";
import { mcpRoutes } from "./http/routes/mcp.ts";
import { overviewRoutes } from "./http/routes/overview.ts";
import { policyRoutes } from "./http/routes/policies.ts";
import { precedentRoutes } from "./http/routes/precedents.ts";
import { pushRoutes } from "./http/routes/push.ts";
import { reachRoutes } from "./http/routes/reach.ts";
import { runbookRoutes } from "./http/routes/runbooks.ts";
import { sessionRoutes } from "./http/routes/sessions.ts";
import { statsRoutes } from "./http/routes/stats.ts";
import { statusRoutes } from "./http/routes/status.ts";
import { suggestionRoutes } from "./http/routes/suggestions.ts";
import { auditRoutes } from "./http/routes/team/audit.ts";
import { deviceRoutes } from "./http/routes/team/device.ts";
import { eraseRoutes } from "./http/routes/team/erase.ts";
import { machineRoutes } from "./http/routes/team/machines.ts";
import { passkeyRoutes } from "./http/routes/team/passkeys.ts";
import { peopleRoutes } from "./http/routes/team/people.ts";
import { webRoutes } from "./http/routes/web.ts";
import type { Service } from "./http/service.ts";
import { listenerOf } from "./http/wire/listener.ts";
import { isRemoteWeb } from "./web/remote-web.ts";
import type { WebServer } from "./web/serving.ts";

export function appOf(service: Service): OpenAPIHono {
  const { journal } = service.ports;
  const app = new OpenAPIHono({
    defaultHook: (result) => {
      if (!result.success)
        throw new Refusal("request.invalid", sentenceOf(result.error), "see /openapi.json", {
          target: result.target,
        });
    },
  });
  app.onError(async (error, context) => {
    if (error instanceof Refusal && REFUSALS[error.code].http === 403) await noteRefused(error, context);
    return refusalResponse(fromHono(error), context, journal);
  });
  /** A forbidden call by an agent was an attempt, so it is recorded. */
  function noteRefused({ message }: Refusal, context: Context): Promise<void> | void {
    const caller = context.get("caller") as Principal | undefined;
    const token = caller?.kind === "agent" ? caller.agent_id : null;
    const agent_id = caller?.kind === "person" ? caller.step?.agent_id : token;
    if (agent_id === undefined) return;
    return service.refused.note(agent_id, `${context.req.method} ${context.req.path}`, message);
  }
  app.notFound((context) =>
    context.json(
      errorBody(
        new Refusal(
          "request.not-found",
          `${context.req.method} ${context.req.path} is not a route`,
          "see /openapi.json",
        ),
      ),
      404,
    ),
  );
  app.use(async (context, next) => {
    context.header(HEADERS.version, version);
    const theirs = context.req.header(HEADERS.version);
    if (theirs !== undefined && context.req.header(HEADERS.anyVersion) === undefined) refuseVersion(theirs);
    if (hasBody(context)) {
      const type = context.req.header("content-type") ?? "";
      if (!/^application\/json\b/i.test(type)) {
        throw new Refusal(
          "request.not-json",
          "the body must be JSON",
          "send the header content-type: application/json",
        );
      }
    }
    context.set("keeper", service);
    context.set("caller", await principalOf(context, service));
    await next();
    const as_of_ms = service.ports.log.lastHeard?.() ?? null;
    if (as_of_ms !== null) context.res.headers.set(HEADERS.asOf, String(as_of_ms));
  });
  checkBodies(app, service.settings.limits.body_kb);
  daemonRoutes(app, service);
  statusRoutes(app, service);
  machineRoutes(app, service);
  auditRoutes(app, service);
  eraseRoutes(app, service);
  peopleRoutes(app, service);
  deviceRoutes(app, service);
  passkeyRoutes(app, service);
  statsRoutes(app, service);
  reachRoutes(app, service);
  beadsRoutes(app, service);
  overviewRoutes(app, service); // before /decisions/{id}, which would take "own" in /decisions/own for an id
  readingRoutes(app, service);
  answerRoutes(app, service);
  requestRoutes(app, service);
  claimRoutes(app, service);
  policyRoutes(app, service);
  suggestionRoutes(app, service);
  precedentRoutes(app, service);
  failedRoutes(app, service);
  jobRoutes(app, service);
  runbookRoutes(app, service);
  agentRoutes(app, service);
  injectRoutes(app, service);
  sessionRoutes(app, service);
  mcpRoutes(app, service);
  mailRoutes(app, service);
  webRoutes(app, service);
  pushRoutes(app, service);
  eventRoutes(app, service);
  app.doc31("/openapi.json", {
    openapi: "3.1.0",
    info: {
      title: "Oddjobs",
      version,
      description: "The daemon's interface. HTTP over its unix socket; ids by any unique prefix.",
    },
  });
  return app;
}

const CLOSE_WITHIN_MS = 1000;
/** A thousand callers may connect at the same moment; the system turns away those that don't fit. */
const BACKLOG = 4096;

/** When released, it takes no new connections, gives those in progress a moment, then closes them. */
export async function listen(
  app: OpenAPIHono,
  web: WebServer,
  socket: string,
  releasers: Releasers,
): Promise<void> {
  const routes = listenerOf(app.fetch);
  const server = http.createServer(httpLimits(), (incoming, outgoing) => {
    void (isRemoteWeb(incoming) ? web : routes)(incoming, outgoing);
  });
  const fresh = `${socket}.n`; // Node removes what it was told to listen at, even if by then it is another daemon's
  let own: number | null = null;
  releasers.add("the server", () => {
    if (own !== null && inodeOf(socket) === own) fs.rmSync(socket, { force: true });
    return close(server);
  });
  for (const it of [fresh, socket]) fs.rmSync(it, { force: true }); // we have the lock, so whoever left this socket is gone
  const mask = process.umask(0o177); // the socket is never open to others, not even for a moment
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ path: fresh, backlog: BACKLOG }, resolve);
    });
  } finally {
    process.umask(mask);
  }
  own = inodeOf(fresh);
  fs.renameSync(fresh, socket);
}

function inodeOf(file: string): number | null {
  return fs.statSync(file, { throwIfNoEntry: false })?.ino ?? null;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => server.closeAllConnections(), CLOSE_WITHIN_MS);
    server.close(() => {
      clearTimeout(late);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/** An older caller is served as long as possible. A newer caller is refused, so that it can replace us. */
function refuseVersion(theirs: string): void {
  const how = meeting(theirs, version);
  if (how === "too-old")
    throw new Refusal(
      "daemon.newer",
      `oj ${theirs} is too old for the running daemon (${version})`,
      "npm install -g oddjobs@latest",
      { version },
    );
  if (how === "newer" || how === "unknown")
    throw new Refusal(
      "daemon.version",
      `the daemon has version ${version}, the caller has ${theirs}`,
      "oj daemon restart",
      { version },
    );
}

/** What is wrong with a body, each with its place. */
function sentenceOf(error: z.core.$ZodError): string {
  const issues = error.issues.slice(0, 5).map((it) => `${it.path.join(".") || "the body"}: ${it.message}`);
  const more = error.issues.length - issues.length;
  return `${issues.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

function fromHono(error: Error): Error {
  const status = (error as { status?: number }).status;
  return status === 400 ? new Refusal("request.invalid", "the body is not JSON", "see /openapi.json") : error;
}
