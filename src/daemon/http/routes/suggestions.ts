/** What people's answers suggest, over HTTP. Only a person may say what counts: no agent, and no command of a session. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import * as schemas from "../../views/schemas.ts";
import { refuseSessions } from "../principal.ts";
import { route } from "../route.ts";
import type { Service } from "../service.ts";

export function suggestionRoutes(app: OpenAPIHono, { suggestions }: Pick<Service, "suggestions">): void {
  route(
    app,
    {
      method: "get",
      path: "/suggestions",
      here: true,
      summary: "Rules that people's answers suggest, with the decisions they rest on, tried on history",
      query: schemas.projectQuery,
      returns: schemas.suggested,
    },
    ({ query }) => suggestions.list(query.project ?? null),
  );

  route(
    app,
    {
      method: "post",
      path: "/suggestions/{key}/accept",
      here: true,
      answers: true,
      summary: "Let the suggested rule with this hash count in its project, from now on",
      params: schemas.suggestionParam,
      body: schemas.suggestionBody,
      returns: schemas.suggestion,
    },
    async ({ params: { key }, body: { hash }, by, caller }) => {
      refuseSessions(caller);
      return suggestions.accept(key, hash, by);
    },
  );

  route(
    app,
    {
      method: "post",
      path: "/suggestions/{key}/decline",
      here: true,
      answers: true,
      summary: "Never suggest a rule for calls like these again",
      params: schemas.suggestionParam,
    },
    async ({ params: { key }, by, caller }) => {
      refuseSessions(caller);
      await suggestions.decline(key, by);
    },
  );
}
