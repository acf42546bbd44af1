/** What people have answered, over HTTP: which policies it suggests, and what policies would have answered. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { Refusal } from "../../../core/model/errors.ts";
import type { Policy } from "../../../core/model/policy-types.ts";
import { irreversibleHere } from "../../../core/policy/listed.ts";
import type { Suggestion } from "../../../core/policy/suggest.ts";
import { suggestPolicies } from "../../../core/policy/suggest.ts";
import { tryPolicies } from "../../../core/policy/try.ts";
import { readPolicies } from "../../../runbook/policies.ts";
import { pastAnswers } from "../../runbooks/history.ts";
import { configOf } from "../../runbooks/project.ts";
import * as schemas from "../../views/schemas.ts";
import { route } from "../route.ts";
import type { Service } from "../service.ts";

export function precedentRoutes(app: OpenAPIHono, service: Service): void {
  const { engine, policies, ports } = service;

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
}

function policiesIn(name: string, text: string): Policy[] {
  const { policies, problems } = readPolicies(name, text);
  const [problem] = problems;
  if (problem)
    throw new Refusal("runbook.invalid", `line ${problem.line}: ${problem.message}`, "oj policy check");
  return policies;
}
