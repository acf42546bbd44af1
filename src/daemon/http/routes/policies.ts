/** Policies over HTTP. Only a person may say what counts: no agent, and no command that runs in a session or for an agent. */
import path from "node:path";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { PolicyView } from "../../../api/api.ts";
import { Refusal } from "../../../core/model/errors.ts";
import type { Policy, PolicyBook, Remembered } from "../../../core/model/policy-types.ts";
import type { State } from "../../../core/model/state/state.ts";
import type { Accepting } from "../../../core/policy/accept.ts";
import { acceptFiles, goneFiles, switchPolicy } from "../../../core/policy/accept.ts";
import { boundReached } from "../../../core/policy/bounds.ts";
import type { PolicyFile } from "../../../core/policy/files.ts";
import { droppedBy } from "../../../core/policy/listed.ts";
import { findingsOn, policiesInForce } from "../../../core/policy/ruling.ts";
import { unifiedDiff } from "../../../core/text/diff.ts";
import { sha256 } from "../../../core/text/hash.ts";
import { readPolicies } from "../../../runbook/policies.ts";
import { askedAt } from "../../runbooks/asked-at.ts";
import { POLICY_FOLDER } from "../../runbooks/policies.ts";
import { configIn } from "../../runbooks/project.ts";
import * as schemas from "../../views/schemas.ts";
import { refuseSessions } from "../principal.ts";
import { route } from "../route.ts";
import type { Service } from "../service.ts";

const MOST_LOGGED = 1000;

export function policyRoutes(app: OpenAPIHono, service: Service): void {
  const { engine, policies, ports } = service;

  route(
    app,
    {
      method: "get",
      path: "/policies",
      here: true,
      summary: "The policies here, and whether they count",
      query: schemas.policyQuery,
      returns: schemas.policies,
    },
    async ({ query: { cwd, project } }) => {
      const files = await policies.files(configIn(cwd).root);
      const now = ports.clock.now();
      return engine.read((state) => {
        const book = state.policies.get(project);
        const shown = files.map((it) => ({
          file: it.path,
          state: fileState(it, book),
          problems: problemsIn(it),
        }));
        return {
          policies: viewsOf(files, book, now),
          files: shown.filter((it, at) => it.problems.length + (files[at]?.policies.length ?? 0) > 0),
        };
      });
    },
  );

  route(
    app,
    {
      method: "post",
      path: "/policies/accept",
      here: true,
      socket: true,
      answers: true,
      summary: "Let the policies of a project's files count, as the files are now",
      body: schemas.acceptBody,
      returns: schemas.accepted,
    },
    async ({ body: { cwd, project, files: given }, by, caller }) => {
      refuseSessions(caller);
      const { root } = configIn(cwd);
      const all = (await policies.files(root)).filter((it) => it.personal === null);
      const wanted = given.map((it) => path.resolve(cwd, it));
      const unknown = wanted.find((it) => !all.some((file) => file.path === it));
      if (unknown !== undefined)
        throw new Refusal(
          "request.not-found",
          `${unknown} is not a runbook of this project`,
          "oj policy list",
        );
      const book = await engine.read((state) => state.policies.get(project));
      const known = (it: PolicyFile) => hasPolicies(it) || droppedBy(book, it).length > 0;
      const named = all.filter((it) => (wanted.length > 0 ? wanted.includes(it.path) : known(it)));
      const gone = goneFiles(book, { folder: path.join(root, POLICY_FOLDER), found: all });
      const files = [...named, ...(wanted.length > 0 ? [] : gone)];
      for (const it of named) {
        const [problem] = problemsIn(it);
        if (problem)
          throw new Refusal(
            "runbook.invalid",
            `${it.path}:${problem.line} ${problem.message}`,
            "oj policy check",
          );
      }
      await engine.run((state) => acceptFiles(state, { project, files, by }));
      return { files: files.map((it) => acceptedView(it, book)) };
    },
  );

  route(
    app,
    {
      method: "post",
      path: "/policies/switch",
      here: true,
      socket: true,
      answers: true,
      summary: "Switch a policy off, or on again",
      body: schemas.switchBody,
      returns: () => schemas.policies().shape.policies,
    },
    async ({ body: { cwd, project, name, on }, by, caller }) => {
      refuseSessions(caller);
      const files = await policies.files(configIn(cwd).root);
      const now = ports.clock.now();
      const viewsIn = (state: State) => viewsOf(files, state.policies.get(project), now);
      await engine.run((state) => {
        const known = viewsIn(state).map((it) => it.name);
        return switchPolicy(state, { project, name, on, by, known });
      });
      return engine.read((state) => viewsIn(state).filter((it) => it.name === name));
    },
  );

  route(
    app,
    {
      method: "get",
      path: "/policies/log",
      summary: "What policies have answered, the latest first",
      query: schemas.projectQuery,
      returns: schemas.policyLog,
    },
    ({ query }) => engine.read((state) => logOf(state, query.project ?? null)),
  );

  route(
    app,
    {
      method: "get",
      path: "/decisions/{id}/policies",
      here: true,
      summary: "What each policy says about a decision, and why",
      params: schemas.idParam,
      query: schemas.explainQuery,
      returns: schemas.policyFindings,
    },
    async ({ params, query }) => {
      const { decision, look } = await askedAt(service, params.id, query.cwd);
      const now_ms = ports.clock.now();
      return engine.read((state) => {
        const book = state.policies.get(decision.project);
        const inForce = look === null ? [] : policiesInForce(look.files, book, decision.owner.id);
        const rules = inForce.map((it) => it.policy);
        const asked = { ...decision, agent_id: decision.agent_id ?? undefined };
        const { agent_id, ...rest } = asked;
        const about = agent_id === undefined ? rest : { ...rest, agent_id };
        const findings = look === null ? [] : findingsOn(state, about, look, rules);
        return {
          decision: decision.id,
          answered_by: decision.answer?.policy?.name ?? null,
          findings: findings.map(({ policy, fits, why }) => {
            const since_ms = inForce.find((it) => it.policy === policy)?.since_ms ?? 0;
            const bound = fits ? boundReached(policy, { book, since_ms, now_ms }) : null;
            return { name: policy.name, kind: policy.kind, fits, why, bound };
          }),
        };
      });
    },
  );
}

/** A block of a file that was never accepted is shown as it was when it was put on the list. */
function acceptedView(it: Accepting, book: PolicyBook | undefined) {
  const { path: file, text } = it;
  const listed = (book?.listed?.[file] ?? []).map((one) => one.text).join("\n");
  const before = book?.accepted[file]?.text ?? (text === "" ? listed : "");
  const dropped = droppedBy(book, it);
  const is_new = book?.accepted[file]?.text !== text || dropped.length > 0;
  return { file, is_new, diff: unifiedDiff(before, text), hash: sha256(text), dropped };
}

function hasPolicies({ policies, irreversible, text }: PolicyFile): boolean {
  return policies.length + irreversible.length > 0 || /^\s*policy\s+"/m.test(text);
}

/** Only of files that mean to have policies: the other problems of a runbook are told elsewhere. */
function problemsIn(file: PolicyFile) {
  return hasPolicies(file) ? readPolicies(file.path, file.text).problems : [];
}

function fileState({ path: file, text, personal }: PolicyFile, book: PolicyBook | undefined) {
  if (personal) return "yours" as const;
  const accepted = book?.accepted[file];
  if (!accepted) return "new" as const;
  return accepted.text === text ? ("accepted" as const) : ("changed" as const);
}

function viewsOf(files: readonly PolicyFile[], book: PolicyBook | undefined, now_ms: number): PolicyView[] {
  return [
    ...files.flatMap((file) => file.policies.map((it) => policyView(it, file, book, now_ms))),
    ...(book?.remembered ?? []).map((it) => rememberedView(it, book, now_ms)),
  ];
}

function rememberedView(
  { policy, owner, at_ms }: Remembered,
  book: PolicyBook | undefined,
  now_ms: number,
): PolicyView {
  const { name, kind, hash, text } = policy;
  return { name, kind, state: countsAs(policy, book, at_ms, now_ms), hash, file: owner, line: 0, text };
}

function countsAs(policy: Policy, book: PolicyBook | undefined, since_ms: number, now_ms: number) {
  const isOver = boundReached(policy, { book: undefined, since_ms, now_ms }) !== null;
  return isOver ? "expired" : book?.off.includes(policy.name) ? "off" : "on";
}

function policyView(
  policy: Policy,
  file: PolicyFile,
  book: PolicyBook | undefined,
  now_ms: number,
): PolicyView {
  const { name, kind, hash, text, line } = policy;
  const standing = fileState(file, book);
  const since_ms = file.personal?.since_ms ?? book?.accepted[file.path]?.at_ms ?? 0;
  const counts = countsAs(policy, book, since_ms, now_ms);
  const state = standing === "new" || standing === "changed" ? standing : counts;
  return { name, kind, state, hash, file: file.path, line, text };
}

function logOf(state: State, project: string | null) {
  const found = [...state.decisions.gists()].filter(
    (it) => it.via === "policy" && (project === null || it.project === project),
  );
  return found
    .slice(-MOST_LOGGED)
    .reverse()
    .flatMap(({ id, outcome }) => {
      const decision = state.decisions.peek(id);
      const answer = decision?.answer;
      if (!decision || !answer?.policy) return [];
      const { name, hash, text } = answer.policy;
      return [
        { decision: id, name, hash, text, at_ms: answer.resolved_at_ms, outcome, title: decision.title },
      ];
    });
}
