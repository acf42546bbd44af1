/** What people have answered, over HTTP: which policies it suggests, what policies would have answered, and what is remembered. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { ResolveResult } from "../../../api/api.ts";
import type { Via } from "../../../core/model/decision-types.ts";
import { Refusal } from "../../../core/model/errors.ts";
import type { Policy } from "../../../core/model/policy-types.ts";
import { findDecision } from "../../../core/model/state/find.ts";
import { homeOf } from "../../../core/model/state/home.ts";
import type { Accepting } from "../../../core/policy/accept.ts";
import { irreversibleHere } from "../../../core/policy/listed.ts";
import { rememberAnswer } from "../../../core/policy/remember.ts";
import type { Suggestion } from "../../../core/policy/suggest.ts";
import { suggestPolicies } from "../../../core/policy/suggest.ts";
import { tryPolicies } from "../../../core/policy/try.ts";
import { readPolicies } from "../../../runbook/policies.ts";
import { pastAnswers } from "../../runbooks/history.ts";
import { configOf } from "../../runbooks/project.ts";
import { ruleFor, writeRule } from "../../runbooks/remembered.ts";
import * as schemas from "../../views/schemas.ts";
import { decisionView } from "../../views/views.ts";
import { refuseSessions } from "../principal.ts";
import { route } from "../route.ts";
import type { Service } from "../service.ts";

export function precedentRoutes(app: OpenAPIHono, service: Service): void {
  const { engine, policies, ports, machines } = service;
  let writing: Promise<unknown> = Promise.resolve();

  /** What is on disk here says nothing about a call on another machine. */
  async function ruleHere(id: string): Promise<Awaited<ReturnType<typeof ruleFor>>> {
    const home = await engine.read((state) => homeOf(state, findDecision(state, id).id));
    if (machines.self !== null && home !== machines.self) return { why: `it was asked on ${home}` };
    return ruleFor(service, id);
  }

  async function suggested({ cwd, project }: { cwd: string; project: string }): Promise<Suggestion[]> {
    const files = await policies.files(configOf({}, cwd).root);
    const past = await pastAnswers(service, { project, files });
    const calls = past.flatMap(({ precedent, look }) =>
      look.call ? [{ precedent, call: look.call.call, place: look.place }] : [],
    );
    const added = await engine.read((state) => irreversibleHere(files, state.policies.get(project)));
    const found = suggestPolicies(calls, {
      added,
      policies: files.flatMap((it) => it.policies),
      dayOf: (at_ms) => new Date(at_ms).toDateString(),
    });
    return found.filter((it) => readPolicies("suggested", it.text).problems.length === 0);
  }

  /** The policies of a text, those that are suggested, or those that are written here. */
  async function tried({
    cwd,
    project,
    text,
    suggested: isSuggested,
  }: {
    cwd: string;
    project: string;
    text?: string | undefined;
    suggested?: boolean | undefined;
  }): Promise<Policy[]> {
    if (text !== undefined) return policiesIn("the file", text);
    if (isSuggested) return (await suggested({ cwd, project })).flatMap((it) => policiesIn(it.name, it.text));
    return (await policies.files(configOf({}, cwd).root)).flatMap((it) => it.policies);
  }

  route(
    app,
    {
      method: "get",
      path: "/policies/suggestions",
      here: true,
      summary: "Policies that what people have answered suggests, with the decisions that they rest on",
      query: schemas.policyQuery,
      returns: schemas.suggestions,
    },
    ({ query }) => suggested(query),
  );

  route(
    app,
    {
      method: "post",
      path: "/policies/try",
      here: true,
      summary: "What policies would have answered, and where people answered otherwise; nothing is changed",
      body: schemas.tryBody,
      returns: schemas.tried,
    },
    async ({ body }) => {
      const rules = await tried(body);
      const files = await policies.files(configOf({}, body.cwd).root);
      const past = await pastAnswers({ engine, ports }, { project: body.project, files });
      return engine.read((state) => tryPolicies(state, past, rules));
    },
  );

  route(
    app,
    {
      method: "get",
      path: "/decisions/{id}/rule",
      here: true,
      summary: "The rule that would be remembered for an approval, tried on what people have answered",
      params: schemas.idParam,
      returns: schemas.rememberable,
    },
    async ({ params }) => {
      const decision = await engine.read((state) => findDecision(state, params.id));
      const { id, owner } = decision;
      const found = await ruleHere(id);
      if ("why" in found) return { decision: id, rule: null, why: found.why, tried: null };
      const { policy, text, file, problem, tried: outcome } = found;
      const asker = owner.kind === "requester" ? owner.name : `${owner.kind} ${owner.name}`;
      const rule = { name: policy.name, text, hash: policy.hash, asker, file, problem };
      return { decision: id, rule, why: null, tried: outcome };
    },
  );

  route(
    app,
    {
      method: "post",
      path: "/decisions/{id}/remember",
      here: true,
      answers: true,
      summary: "Approve it, and remember the rule with this hash: for the job that asks, or in the project",
      params: schemas.idParam,
      body: schemas.rememberBody,
      returns: schemas.resolved,
    },
    ({ params, body, by, via, caller }) => {
      refuseSessions(caller);
      const next = writing.then(() => remember({ ...params, ...body }, { by, via }));
      writing = next.catch(() => {}); // one after the other: each adds to the file that the one before has written
      return next;
    },
  );

  async function remember(
    { id: given, scope, hash }: { id: string; scope: "job" | "project"; hash: string },
    who: { by: string; via: Via },
  ): Promise<ResolveResult> {
    const { id } = await engine.read((state) => findDecision(state, given));
    const found = await ruleHere(id);
    if ("why" in found)
      throw new Refusal(
        "request.invalid",
        `this can't be remembered: ${found.why}`,
        `oj decision show ${id}`,
      );
    const { policy: rule, text } = found;
    if (rule.hash !== hash)
      throw new Refusal(
        "request.invalid",
        "this is not the rule that would be remembered now: look at it again",
        `oj policy remember ${id}`,
      );
    const record = (file: Accepting | null) =>
      engine.run((state, moment) => rememberAnswer(state, { id, rule, file, ...who }, moment));
    await (scope === "job" ? record(null) : writeRule(service, { id, text }, record));
    return engine.read((state) => {
      const decision = machines.placed(decisionView(findDecision(state, id)));
      return {
        decision,
        option: decision.options.find((it) => it.number === decision.answer?.chosen) ?? null,
      };
    });
  }
}

function policiesIn(name: string, text: string): Policy[] {
  const { policies, problems } = readPolicies(name, text);
  const [problem] = problems;
  if (problem)
    throw new Refusal("runbook.invalid", `line ${problem.line}: ${problem.message}`, "oj policy check");
  return policies;
}
