/**
 * Serves the browser inbox on the port that hooks report to: the page, logging in, and the daemon's routes under /api.
 */
import type http from "node:http";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { Refusal } from "../../core/model/errors.ts";
import type { Service } from "../http/service.ts";
import { listenerOf } from "../http/wire/listener.ts";
import { doorFor, visitDoor } from "./doors.ts";
import { guard, originsOf } from "./guard.ts";
import { sendMetrics } from "./metrics.ts";
import { startRemoteWeb } from "./remote-web.ts";
import type { PageServer, WebServer } from "./serving.ts";
import {
  answer,
  bodyOf,
  pageServer,
  refuse,
  secretsIn,
  setCookie,
  setHeaders,
  withoutClaims,
} from "./serving.ts";

const API = "/api/";
const LOGIN = "/login";

/** The door on this machine, and the one that `oj serve` leads to. */
export function startWebs(app: OpenAPIHono, service: Service, dir: string) {
  const page = pageServer(dir);
  return { here: startWeb(app, service, page), elsewhere: startRemoteWeb(app, service, page) };
}

function startWeb(app: OpenAPIHono, service: Service, page: PageServer): WebServer {
  const { port, logins } = service;
  const cookieName = `oj-${port}`; // cookies don't tell ports apart, and there may be several daemons

  async function logIn(incoming: http.IncomingMessage, outgoing: http.ServerResponse): Promise<void> {
    const { cookie, key } = await logins.enter(
      codeIn(await bodyOf(incoming)),
      incoming.headers["user-agent"] ?? "",
      secretsIn(incoming, cookieName),
    );
    setCookie(outgoing, cookieName, cookie, incoming.headers.origin?.startsWith("https:") ?? false);
    answer(outgoing, 200, { key });
  }

  async function call(incoming: http.IncomingMessage, outgoing: http.ServerResponse): Promise<void> {
    const login = logins.find(secretsIn(incoming, cookieName));
    if (login === null || login.token !== undefined)
      throw new Refusal("login.required", "this browser is not logged in", "oj web");
    incoming.url = incoming.url?.slice(API.length - 1) ?? "/";
    incoming.rawHeaders = withoutClaims(incoming.rawHeaders);
    const known = { webUser: login.user, webLogin: login.id };
    await listenerOf((request, env) => app.fetch(request, { ...env, ...known }))(incoming, outgoing);
  }

  return async (incoming, outgoing) => {
    try {
      setHeaders(outgoing);
      const origins = originsOf(port, service.webUrl());
      const door = doorFor(service.doors, incoming);
      if (door)
        return await visitDoor(door, { hosts: [...origins.keys()], setting: "web.url" }, incoming, outgoing);
      guard(incoming, origins);
      const { method } = incoming;
      const name = (incoming.url ?? "").split("?")[0] ?? "";
      outgoing.setHeader("cache-control", "no-store");
      if (await sendMetrics(service, incoming, outgoing)) return;
      if (name.startsWith(API)) return await call(incoming, outgoing);
      if (name === LOGIN && method === "POST") return await logIn(incoming, outgoing);
      if (method === "GET" || method === "HEAD") return await page(name, incoming, outgoing);
      throw new Refusal("request.not-found", "there is no such page", null);
    } catch (error) {
      refuse(service, incoming, outgoing, error as Error);
    }
  };
}

function codeIn(text: string): string {
  try {
    const { code } = JSON.parse(text) as { code?: unknown };
    if (typeof code === "string") return code;
  } catch {
    // reported below
  }
  throw new Refusal("request.invalid", "a login must be { code }");
}
