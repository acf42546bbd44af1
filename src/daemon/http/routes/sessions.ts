/**
 * Hooks of sessions that oj did not start, over HTTP. The body is what the client passes to a hook; the response is
 * what the hook prints.
 */
import type { ServerResponse } from "node:http";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { HookQuery } from "../../../api/api.ts";
import { startSessionDialogs } from "../../sessions/dialogs.ts";
import { startSessionHooks } from "../../sessions/hooks.ts";
import * as schemas from "../../views/schemas.ts";
import { route } from "../route.ts";
import type { Service } from "../service.ts";

export function sessionRoutes(app: OpenAPIHono, service: Service): void {
  const { engine, ports, stopping } = service;
  const hooks = startSessionHooks(service, startSessionDialogs(engine, ports, stopping));

  route(
    app,
    {
      method: "post",
      path: "/hooks/session",
      here: true,
      socket: true,
      summary: "A hook of a session that oj did not start",
      query: schemas.hookQuery,
      body: schemas.hook,
      returns: () => schemas.hook,
    },
    async ({ body, query, context, abort }) => {
      const wanted = Object.fromEntries(Object.entries(query).filter(([, it]) => it !== undefined));
      const { body: answer, sent } = await hooks.handle(body, wanted as HookQuery, abort);
      if (sent) whenSent(context.env, sent);
      return { ...answer };
    },
  );
}

function whenSent(env: unknown, sent: (arrived: boolean) => void): void {
  const { outgoing } = env as { outgoing?: ServerResponse };
  if (!outgoing || outgoing.destroyed) return sent(false);
  outgoing.once("close", () => sent(outgoing.writableFinished));
}
