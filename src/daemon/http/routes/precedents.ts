/** What people have answered, over HTTP: which policies it suggests, what policies would have answered, and what is remembered. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { ResolveResult } from "../../../api/api.ts";
import { Refusal } from "../../../core/model/errors.ts";
import type { Policy } from "../../../core/model/policy-types.ts";
import { findDecision } from "../../../core/model/state/find.ts";
import { irreversibleHere } from "../../../core/policy/listed.ts";
import type { Suggestion } from "../../../core/policy/suggest.ts";
import { suggesting } from "../../../core/policy/suggest.ts";
import { readPolicies } from "../../../runbook/policies.ts";
import { pastAnswers } from "../../runbooks/history.ts";
import { configIn } from "../../runbooks/project.ts";
import { inTurns } from "../../runbooks/slices.ts";
import { tryOn } from "../../runbooks/tried.ts";
import * as schemas from "../../views/schemas.ts";
import { decisionView } from "../../views/views.ts";
import { refuseSessions } from "../principal.ts";
import { route } from "../route.ts";
import type { Service } from "../service.ts";

export function precedentRoutes(app: OpenAPIHono, service: Service): void {
  const { engine, policies, ports, machines, remembering } = service;
  async function suggested({ cwd, project }: { cwd: string; project: string }): Promise<Suggestion[]> {
    const files = await policies.files(configIn(cwd).root);
    const past = await pastAnswers(service, { project, files });
    const calls = past.flatMap(({ precedent, look }) =>
      look.call ? [{ precedent, call: look.call.call, place: look.place }] : [],
    );
    const added = await engine.read((state) => irreversibleHere(files, state.policies.get(project)));
    const found = await inTurns(
      suggesting(calls, {
        added,
        policies: files.flatMap((it) => it.policies),
        dayOf: (at_ms) => new Date(at_ms).toDateString(),
      }),
    );
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
    return (await policies.files(configIn(cwd).root)).flatMap((it) => it.policies);
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
    async ({ query }) => (await suggested(query)).map(({ shape: _, ...it }) => it),
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
      const files = await policies.files(configIn(body.cwd).root);
      const past = await pastAnswers({ engine, ports }, { project: body.project, files });
      return tryOn(engine, past, rules);
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
    ({ params }) => remembering.offer(params.id),
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
    async ({ params, body, by, via, caller }) => {
      refuseSessions(caller);
      const { id } = await engine.read((state) => findDecision(state, params.id));
      await remembering.remember({ id, ...body, by, via });
      return engine.read((state): ResolveResult => {
        const decision = machines.placed(decisionView(findDecision(state, id)));
        return {
          decision,
          option: decision.options.find((it) => it.number === decision.answer?.chosen) ?? null,
        };
      });
    },
  );
}

function policiesIn(name: string, text: string): Policy[] {
  const { policies, problems } = readPolicies(name, text);
  const [problem] = problems;
  if (problem)
    throw new Refusal("runbook.invalid", `line ${problem.line}: ${problem.message}`, "oj policy check");
  return policies;
}
