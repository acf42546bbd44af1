/** Decisions over HTTP: list, show, request, answer, await, withdraw. */
import type { ServerResponse } from "node:http";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { z } from "@hono/zod-openapi";
import { agentClientOf } from "../../../agents/known/clients.ts";
import type { BatchResult, DecisionView } from "../../../api/api.ts";
import { HEADERS } from "../../../api/api.ts";
import { autoCloseMs } from "../../../config.ts";
import { cancelDecision } from "../../../core/decision/decision.ts";
import { AS_IS, notEditable } from "../../../core/decision/edited.ts";
import type { ResolveInput } from "../../../core/decision/give.ts";
import { holdAnswer, resolveDecision } from "../../../core/decision/give.ts";
import { seeDecision } from "../../../core/decision/seen.ts";
import { undoAnswer } from "../../../core/decision/undo.ts";
import { isAside } from "../../../core/model/decision-types.ts";
import { Refusal } from "../../../core/model/errors.ts";
import { findDecision } from "../../../core/model/state/find.ts";
import { homeOf } from "../../../core/model/state/home.ts";
import type { State } from "../../../core/model/state/state.ts";
import { underPolicies } from "../../../core/policy/ruling.ts";
import { routeFor } from "../../../core/reach/route.ts";
import { promoteAwaited } from "../../../core/request/promote.ts";
import { requestOnce } from "../../../core/request/request.ts";
import type { Origin } from "../../../core/request/requester.ts";
import { fromSession, fromStep } from "../../../core/request/requester.ts";
import type { Requester } from "../../../core/request/types.ts";
import { groupsIn } from "../../../core/template/rule.ts";
import { contextOf } from "../../../core/text/context-of.ts";
import { configIn, runbooksOf } from "../../runbooks/project.ts";
import { listed } from "../../views/listed.ts";
import * as schemas from "../../views/schemas.ts";
import { timeline } from "../../views/timeline.ts";
import { listBody } from "../../views/view-cache.ts";
import { decisionView } from "../../views/views.ts";
import { asks, startAwaiting } from "../awaiting.ts";
import type { Principal } from "../callers.ts";
import { errorBody } from "../errors.ts";
import {
  answerableFor,
  answererOf,
  decisionFor,
  folderFor,
  isTheirs,
  projectFor,
  refuseOwn,
  requesterOf,
  requestFor,
} from "../principal.ts";
import { proofOf } from "../proof.ts";
import { route } from "../route.ts";
import type { Service } from "../service.ts";
import { undoMs } from "../undo-window.ts";

export function decisionRoutes(app: OpenAPIHono, service: Service): void {
  const awaiting = startAwaiting(service);
  const { engine, cache, machines, ports } = service;

  const viewOf = (id: string): Promise<DecisionView> =>
    engine.read((state) => machines.placed(decisionView(findDecision(state, id))));

  async function resolve(input: ResolveInput, caller: Principal): Promise<DecisionView> {
    const delay_ms = undoMs(service.settings, input.via);
    const [fact] = await engine.run((state, moment) => {
      answerableFor(state, caller, input.id);
      refuseOwn(state, caller, input.id);
      if (input.input != null) refuseUnheld(state, input.id);
      const given = { ...input, ...answererOf(caller) };
      return delay_ms > 0
        ? holdAnswer(state, { ...given, delay_ms }, moment)
        : resolveDecision(state, given, moment);
    });
    return viewOf(fact && "id" in fact ? fact.id : input.id);
  }

  /**
   * A change only goes where a hook waits for it. A session's dialog is pending just as long as its hook is open; of an
   * agent on another machine, only that machine knows.
   */
  function refuseUnheld(state: Readonly<State>, text: string): void {
    const decision = findDecision(state, text);
    const { agent_id, prompt_key, source, action } = decision;
    const agent = agent_id === null ? undefined : state.agents.get(agent_id);
    const isEditable = source === "approval" || source === "plan";
    if (!agent || prompt_key === null || !isEditable || action === null) return; // core says what is wrong
    if (agentClientOf(agent).promises.edited === null) throw notEditable(decision, AS_IS);
    const isElsewhere = homeOf(state, decision.id) !== machines.self;
    if (!isElsewhere && !service.agents.openHooks.has(agent.id, prompt_key))
      throw notEditable(
        decision,
        "no hook waits for the answer any more, and keys take what is shown as it is",
      );
  }

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
      returns: z.union([schemas.decision.array(), schemas.decisionBrief.array()]),
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
      engine.read((state) => machines.placed(decisionView(decisionFor(state, caller, params.id)))),
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
      path: "/decisions/{id}/resolve",
      right: "answer",
      scoped: true,
      summary: "Answer a decision: a choice, a message, or both",
      answers: true,
      params: schemas.idParam,
      body: schemas.resolveBody,
      returns: schemas.resolved,
    },
    async ({ params, body: { passkey, ...body }, by, via, caller }) => {
      const input = { id: params.id, ...body, by, via };
      const proof = passkey === null ? {} : { proof: await proofOf(service, input, caller, passkey) };
      const decision = await resolve({ ...input, ...proof }, caller);
      const chosen = (decision.answer ?? decision.held?.answer)?.chosen;
      const option = decision.options.find((it) => it.number === chosen) ?? null;
      return { decision, option };
    },
  );

  route(
    app,
    {
      method: "post",
      path: "/decisions/{id}/undo",
      right: "answer",
      scoped: true,
      summary: "Take back an answer that has not been sent yet",
      answers: true,
      params: schemas.idParam,
      body: schemas.emptyBody,
      returns: schemas.decision,
    },
    async ({ params, by, caller }) => {
      const [fact] = await engine.run((state, moment) => {
        answerableFor(state, caller, params.id);
        return undoAnswer(state, { id: params.id, by, ...answererOf(caller) }, moment);
      });
      return viewOf(fact && "id" in fact ? fact.id : params.id);
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

  route(
    app,
    {
      method: "post",
      path: "/decisions/resolve",
      right: "answer",
      scoped: true,
      summary: "Answer several decisions the same way, each with its own result",
      answers: true,
      body: schemas.batchBody,
      returns: schemas.batch,
    },
    ({ body, by, via, caller }) => {
      const { ids, ...answer } = body;
      return Promise.all(
        ids.map(async (id): Promise<BatchResult> => {
          try {
            return { id, decision: await resolve({ id, ...answer, by, via }, caller) };
          } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            return { id, ...errorBody(error) };
          }
        }),
      );
    },
  );

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
      const { runbook, problems } = await runbooksOf(folder);
      const { session, processes, outlives_session: outlives, ...asked } = body;
      const { escalation, deadline_ms, default: key, ...rest } = asked;
      const asks = { project, source: "request" as const, urgency: body.urgency ?? "medium" };
      const onRoute = routeFor(service.people(), asks)?.escalation ?? null;
      const overdue = { escalation, deadline_ms, default: key, on_route: onRoute };
      const templates = groupsIn(runbook.templates, service.people().groups);
      const demands = { runbook: { ...runbook, templates }, runbook_problems: problems.length };
      const confined = caller.kind === "service";
      const auto_close_ms = autoCloseMs(service.settings);
      const place = { root, mirrored: home?.isOn ?? false };
      const about = { ...contextOf(body.context), project, confined, ...place };
      const input = { ...rest, overdue, auto_close_ms, ...about, ...demands };
      const look = await service.policies.look({ root, cwd: root, workspace: root }, null);
      let id = "";
      await engine.run((state, moment) => {
        const from = atHome(state, caller, requester, { session, processes, outlives });
        const request = requestOnce(state, { ...input, requester: from }, moment);
        id = request.id;
        return underPolicies(state, request.facts, look, moment);
      });
      return viewOf(id);
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
      body: schemas.reasonBody,
      returns: schemas.decision,
    },
    async ({ params, body, by, caller }) => {
      let id = params.id;
      await engine.run((state, moment) => {
        id = requestFor(state, caller, params.id).id;
        return cancelDecision(state, { id, by, reason: body.reason }, moment);
      });
      return viewOf(id);
    },
  );
}

/** Where the request was made: in a step of a job, or otherwise in a session. */
function atHome(state: Readonly<State>, caller: Principal, requester: Requester, origin: Origin): Requester {
  const { job_id, run_id, step = null } = (caller.kind === "person" && caller.step) || {};
  if (!job_id || !run_id || step === null) return fromSession(state, requester, origin);
  return fromStep(state, requester, { job_id, run_id, step });
}
