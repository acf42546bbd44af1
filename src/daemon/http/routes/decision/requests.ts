/** Decisions over HTTP: ask for one, await it, withdraw it. */
import type { ServerResponse } from "node:http";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { cancelDecision } from "../../../../core/decision/decision.ts";
import type { Decision } from "../../../../core/model/decision-types.ts";
import { isAside } from "../../../../core/model/decision-types.ts";
import { joined } from "../../../../core/model/fixed.ts";
import type { State } from "../../../../core/model/state/state.ts";
import { underPolicies } from "../../../../core/policy/ruling.ts";
import { routeFor } from "../../../../core/reach/route.ts";
import { promoteAwaited } from "../../../../core/request/promote.ts";
import { requestOnce } from "../../../../core/request/request.ts";
import type { Origin } from "../../../../core/request/requester.ts";
import { fromSession, fromStep } from "../../../../core/request/requester.ts";
import type { Requester } from "../../../../core/request/types.ts";
import { groupsIn } from "../../../../core/template/rule.ts";
import { contextOf } from "../../../../core/text/context-of.ts";
import { autoCloseMs } from "../../../../settings.ts";
import { configIn, runbooksAt } from "../../../runbooks/project.ts";
import * as schemas from "../../../views/schemas.ts";
import { asks, startAwaiting } from "../../awaiting.ts";
import type { Principal } from "../../callers.ts";
import { decisionFor, folderFor, isConfined, projectFor, requesterOf, requestFor } from "../../principal.ts";
import { route } from "../../route.ts";
import type { Service } from "../../service.ts";

import { viewOf } from "./view.ts";

export function requestRoutes(app: OpenAPIHono, service: Service): void {
  const awaiting = startAwaiting(service);
  const { engine } = service;

  route(
    app,
    {
      method: "post",
      path: "/decisions",
      right: "ask",
      scoped: true,
      summary: "Ask for a decision",
      agents: true,
      services: true,
      body: schemas.requestBody,
      returns: schemas.decision,
    },
    async ({ body, caller }) => {
      const requester = requesterOf(caller, body.as);
      service.rates.take(requester.agent_id ?? requester.name);
      const project = projectFor(caller, body.project, "ask");
      const folder = folderFor(caller, body.cwd);
      const { root } = configIn(folder);
      const home = await service.mirroring.look(folder);
      const { runbook, problems } = await runbooksAt(root);
      const { session, processes, outlives_session: outlives, ...asked } = body;
      const { escalation, deadline_ms, default: key, ...rest } = asked;
      const template = runbook.templates.find((it) => it.name === body.template);
      const urgency = body.urgency ?? template?.urgency ?? "medium";
      const asks = { project, source: "request" as const, urgency };
      const people = service.people();
      const onRoute = routeFor(people, asks)?.escalation ?? null;
      const overdue = { escalation, deadline_ms, default: key, on_route: onRoute };
      const templates = groupsIn(runbook.templates, people.groups);
      const demands = { runbook: { ...runbook, templates }, runbook_problems: problems.length };
      const confined = isConfined(caller);
      const remote = caller.kind === "person" && caller.rights !== null;
      const auto_close_ms = autoCloseMs(service.settings);
      const place = { root, mirrored: home?.isOn ?? false };
      const { context, fields } = contextOf(body.context);
      const about = { context, fields, project, confined, remote, ...place };
      const input = joined(rest, { overdue, auto_close_ms, ...about, ...demands });
      const look = await service.policies.look({ root, cwd: root, workspace: root }, null);
      let id = "";
      await engine.run((state, moment) => {
        const from = atHome(state, caller, requester, { session, processes, outlives });
        const request = requestOnce(state, joined(input, { requester: from }), moment);
        id = request.id;
        return underPolicies(state, request.facts, look, moment);
      });
      return viewOf(service, id);
    },
  );

  route(
    app,
    {
      method: "post",
      path: "/decisions/{id}/await",
      right: "read",
      scoped: true,
      summary: "Wait until a decision is settled, in whatever way",
      waits: (state, caller, { id }) => void decisionFor(state, caller, id),
      holds: "waits",
      agents: true,
      services: true,
      params: schemas.idParam,
      body: schemas.awaitBody,
      returns: schemas.decision,
    },
    async ({ params, body, context, abort, caller }) => {
      const { id, waits } = await engine.read((state) => {
        const decision = decisionFor(state, caller, params.id);
        return {
          id: decision.id,
          waits: isAside(decision) && body.timeout_ms !== 0 && asks(decision, caller),
        };
      });
      if (waits) await engine.run((state) => promoteAwaited(state, { id }));
      const { outgoing } = context.env as { outgoing?: ServerResponse };
      return awaiting({ id, caller, timeout_ms: body.timeout_ms ?? null, abort, outgoing });
    },
  );

  route(
    app,
    {
      method: "post",
      path: "/decisions/{id}/cancel",
      right: "ask",
      scoped: true,
      summary: "Withdraw a request; an agent may withdraw its own",
      agents: true,
      params: schemas.idParam,
      body: schemas.withdrawBody,
      returns: schemas.decision,
    },
    async ({ params, body: { as, reason }, caller }) => {
      let id = params.id;
      await engine.run((state, moment) => {
        const decision = requestFor(state, caller, params.id);
        id = decision.id;
        return cancelDecision(state, { id, by: takenBackBy(state, caller, decision, as), reason }, moment);
      });
      return viewOf(service, id);
    },
  );
}

/** Whoever asked takes it back under the name that they asked under: nobody else has done it, and they know. */
function takenBackBy(
  state: Readonly<State>,
  caller: Principal,
  decision: Decision,
  as: string | null,
): string {
  const requester = requesterOf(caller, as);
  if (caller.kind !== "person") return requester.name;
  const { session } = caller;
  if (session !== null && session === decision.session) return decision.requested_by ?? requester.name;
  return atHome(state, caller, requester, { session }).name;
}

/**
 * Where the request was made: in a step of a job, or otherwise in a session. Who comes with a token or by a door runs in
 * neither, whatever the call says: they would ask in its name.
 */
function atHome(state: Readonly<State>, caller: Principal, requester: Requester, origin: Origin): Requester {
  if (caller.kind === "person" && caller.rights !== null) return requester;
  const { job_id, run_id, step = null } = (caller.kind === "person" && caller.step) || {};
  if (!job_id || !run_id || step === null) return fromSession(state, requester, origin);
  return fromStep(state, requester, { job_id, run_id, step });
}
