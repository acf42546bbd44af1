/** Decisions over HTTP: list, show, what is recorded about one, and that somebody looked. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "@hono/zod-openapi";
import { HEADERS } from "../../../../api/api.ts";
import { seeDecision } from "../../../../core/decision/seen.ts";
import { listed } from "../../../views/listed.ts";
import * as schemas from "../../../views/schemas.ts";
import { timeline } from "../../../views/timeline.ts";
import { listBody } from "../../../views/view-cache.ts";
import { decisionFor, isTheirs, projectFor } from "../../principal.ts";
import { route } from "../../route.ts";
import type { Service } from "../../service.ts";
import { viewIn } from "./view.ts";

export function readingRoutes(app: OpenAPIHono, service: Service): void {
  const { engine, cache, ports } = service;

  route(
    app,
    {
      method: "get",
      path: "/decisions",
      scoped: true,
      summary: "Decisions: pending ones by urgency and age, or all, or a page of all; an agent sees its own",
      agents: true,
      services: true,
      query: schemas.listQuery,
      returns: () => z.union([schemas.decision().array(), schemas.decisionBrief().array()]),
    },
    async ({ query, caller }) => {
      const { brief, ...rest } = query;
      const asked = { ...rest, project: projectFor(caller, query.project) };
      const filter = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
      const { bytes } = brief ? service.briefs : cache;
      const { seq, items } = await listed(engine, filter, (it) => isTheirs(caller, it), bytes);
      return new Response(listBody(items), {
        headers: { "content-type": "application/json", [HEADERS.seq]: String(seq) },
      });
    },
  );

  route(
    app,
    {
      method: "get",
      path: "/decisions/{id}",
      scoped: true,
      summary: "One decision, by any unique prefix of its id",
      agents: true,
      services: true,
      params: schemas.idParam,
      returns: schemas.decision,
    },
    ({ params, caller }) =>
      engine.read((state) => viewIn(state, decisionFor(state, caller, params.id), service)),
  );

  route(
    app,
    {
      method: "get",
      path: "/decisions/{id}/events",
      scoped: true,
      summary: "What is recorded about a decision, oldest first",
      params: schemas.idParam,
      query: schemas.timelineQuery,
      returns: schemas.timeline,
    },
    async ({ params, query, abort, caller }) => {
      const about = await engine.read((state) => {
        const { id, created_at_ms } = decisionFor(state, caller, params.id);
        return { id, created_at_ms };
      });
      return timeline(ports.log, about, { tip: engine.seq(), after: query.after ?? null, abort });
    },
  );

  route(
    app,
    {
      method: "post",
      path: "/decisions/{id}/seen",
      right: "read",
      scoped: true,
      summary: "Somebody looks at it: the first look is recorded",
      params: schemas.idParam,
      body: schemas.emptyBody,
    },
    async ({ params, by, via, caller }) => {
      await engine.run((state) =>
        seeDecision(state, { id: decisionFor(state, caller, params.id).id, by, via }),
      );
    },
  );
}
