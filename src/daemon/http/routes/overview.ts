/**
 * Many decisions at once, over HTTP: the dashboard, chains, the caller's own, and closing requests that nobody
 * answered.
 */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AutoCloseResult } from "../../../api/api.ts";
import { chainOf } from "../../../core/decision/chain.ts";
import { findDecision } from "../../../core/model/state/find.ts";
import { autoClose, staleRequests } from "../../../core/request/auto-close.ts";
import { fromSession } from "../../../core/request/requester.ts";
import { staleAfterMs } from "../../../settings.ts";
import { chainView, dashboardView, ownView } from "../../views/overview.ts";
import * as schemas from "../../views/schemas.ts";
import { historyNames } from "../../views/select-decisions.ts";
import { decisionView } from "../../views/views.ts";
import { decisionFor, isTheirs, projectFor, requesterOf } from "../principal.ts";
import { route } from "../route.ts";
import type { Service } from "../service.ts";

export function overviewRoutes(app: OpenAPIHono, { engine, ports, settings }: Service): void {
  const stale_after_ms = staleAfterMs(settings);
  route(
    app,
    {
      method: "get",
      path: "/dashboard",
      summary: "What is waiting by urgency, what has waited long, what was settled recently",
      query: schemas.projectQuery,
      returns: schemas.dashboard,
    },
    ({ query: { project } }) =>
      engine.read((state) => dashboardView(state, { project, now: ports.clock.now(), stale_after_ms })),
  );

  route(
    app,
    {
      method: "get",
      path: "/history/names",
      summary: "Who settled decisions, and in which projects: the values for filters",
      returns: schemas.historyNames,
    },
    () => engine.read(historyNames),
  );

  route(
    app,
    {
      method: "get",
      path: "/decisions/own",
      summary: "What the caller has asked: what is pending, and outcomes they have not received yet",
      agents: true,
      query: schemas.ownQuery,
      returns: schemas.own,
    },
    ({ query, caller }) => {
      const project = projectFor(caller, query.project);
      const requester = requesterOf(caller, query.as);
      return engine.read((state) =>
        ownView(state, fromSession(state, requester, { session: query.session }), project),
      );
    },
  );

  route(
    app,
    {
      method: "get",
      path: "/decisions/{id}/chain",
      summary: "The decisions that led to this one, and those that followed from it",
      agents: true,
      params: schemas.idParam,
      returns: schemas.chain,
    },
    ({ params, caller }) =>
      engine.read((state) =>
        chainView(chainOf(state, decisionFor(state, caller, params.id), (it) => isTheirs(caller, it))),
      ),
  );

  route(
    app,
    {
      method: "post",
      path: "/decisions/auto-close",
      summary: "Expire requests that nobody has answered for longer than this",
      body: schemas.autoCloseBody,
      returns: schemas.autoClosed,
    },
    async ({ body }): Promise<AutoCloseResult> => {
      const { project, threshold_ms, dry_run } = body;
      const input = { project, threshold_ms, asked_at_ms: ports.clock.now() };
      if (dry_run) {
        const expired = await engine.read((state) => staleRequests(state, input).map(decisionView));
        return { dry_run, threshold_ms, expired };
      }
      const ids: string[] = [];
      for (;;) {
        const events = await engine.run((state, moment) => autoClose(state, input, moment));
        const some = events.flatMap((it) => (it.type === "decision:expired" ? [it.id] : []));
        if (some.length === 0) break;
        ids.push(...some);
      }
      const expired = await engine.read((state) => ids.map((id) => decisionView(findDecision(state, id))));
      return { dry_run, threshold_ms, expired };
    },
  );
}
