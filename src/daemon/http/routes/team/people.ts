/** People, their roles and tokens over HTTP. All but `/me` is for those who administer. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { PersonTokenView, PersonView } from "../../../../api/api.ts";
import { takeRole } from "../../../../core/decision/votes-lost.ts";
import { removePerson, shortWithout, worksFor } from "../../../../core/remove-person.ts";
import {
  distrust,
  findPerson,
  grantRole,
  invitePerson,
  rotateToken,
  tokenById,
  trustToken,
} from "../../../../core/rights/people.ts";
import type { Member } from "../../../../core/roles/people.ts";
import { makeToken } from "../../../secrets/person-tokens.ts";
import { removedView } from "../../../views/removed-view.ts";
import * as schemas from "../../../views/schemas.ts";
import { route } from "../../route.ts";
import type { Service } from "../../service.ts";

export function peopleRoutes(app: OpenAPIHono, { engine, people, owner }: Service): void {
  route(
    app,
    {
      method: "get",
      path: "/me",
      summary: "Who the caller is, and what they may do",
      right: null,
      returns: schemas.me,
    },
    async ({ caller }) => {
      const rights = caller.kind === "agent" ? null : caller.rights;
      const { roles, scopes } = rights ?? { roles: null, scopes: null };
      return { name: caller.name, roles: roles && [...roles], scopes: scopes && [...scopes] };
    },
  );

  route(
    app,
    {
      method: "get",
      path: "/people",
      right: "admin",
      summary: "The people who were invited, and their roles",
      returns: () => schemas.person().array(),
    },
    () =>
      engine.read((state) =>
        [...state.people.values()].filter((it) => it.kind === undefined).map(personView),
      ),
  );

  route(
    app,
    {
      method: "post",
      path: "/people",
      right: "admin",
      summary: "Invite a person: they have no role yet",
      body: schemas.inviteBody,
      returns: schemas.person,
    },
    async ({ body, by }) => {
      const { name, doors = false } = body;
      await engine.run((state) => invitePerson(state, { name, doors, by }));
      return engine.read((state) => personView(findPerson(state, body.name)));
    },
  );

  route(
    app,
    {
      method: "post",
      path: "/people/remove",
      right: "admin",
      summary: "Somebody left: end everything of theirs, through every door",
      body: schemas.removeBody,
      returns: schemas.personRemoved,
    },
    async ({ body: { name }, by }) => {
      const config = people();
      const works = await engine.read((state) => worksFor(state, name));
      const facts = await engine.run((state, moment) => removePerson(state, { name, by, config }, moment));
      const short = await engine.read((state) => shortWithout(state, name));
      return removedView(name, { facts, works, short, config, owner: owner() });
    },
  );

  for (const [path, rule, summary] of [
    ["/roles/grant", grantRole, "Give a person a role, in a project or everywhere"],
    ["/roles/revoke", takeRole, "Take a role away"],
  ] as const)
    route(
      app,
      { method: "post", path, right: "admin", summary, body: schemas.roleBody, returns: schemas.person },
      async ({ body, by }) => {
        await engine.run((state, moment) => rule(state, { ...body, by }, moment));
        return engine.read((state) => personView(findPerson(state, body.name)));
      },
    );

  route(
    app,
    {
      method: "get",
      path: "/tokens",
      right: "admin",
      summary: "The tokens of people, never their secrets",
      returns: () => schemas.personToken().array(),
    },
    () => engine.read((state) => [...state.people.values()].flatMap(tokenViews)),
  );

  route(
    app,
    {
      method: "post",
      path: "/tokens",
      right: "admin",
      summary: "Make a token for a person; it is shown this once",
      body: schemas.tokenBody,
      returns: schemas.tokenMade,
    },
    async ({ body, by }) => {
      const { token, ...made } = makeToken();
      await engine.run((state, moment) => trustToken(state, { ...body, ...made, by }, moment));
      return { ...(await viewOf(engine, made.id)), token };
    },
  );

  route(
    app,
    {
      method: "post",
      path: "/tokens/rotate",
      right: "admin",
      summary: "Replace a token by a new one; the old one counts for `overlap_ms` more",
      body: schemas.rotateBody,
      returns: schemas.tokenRotated,
    },
    async ({ body, by }) => {
      const kind = await engine.read((state) => tokenById(state, body.token).member.kind);
      const { token, ...made } = makeToken(kind === "service" ? "ojm" : "ojp");
      const input = { ...body, ...made, old: body.token, by };
      const facts = await engine.run((state, moment) => rotateToken(state, input, moment));
      const until = facts.find((it) => it.type === "person:rotated")?.expires_at_ms ?? null;
      const replaces = { id: body.token, counts_until_ms: body.overlap_ms === 0 ? null : until };
      return { ...(await viewOf(engine, made.id)), token, replaces };
    },
  );

  route(
    app,
    {
      method: "post",
      path: "/tokens/revoke",
      right: "admin",
      summary: "Revoke one token, or all of a person",
      body: schemas.distrustBody,
      returns: schemas.distrusted,
    },
    async ({ body, by }) => {
      const facts = await engine.run((state) => distrust(state, { what: body, by }));
      return { revoked: facts.flatMap((it) => (it.type === "person:distrusted" ? [it.token] : [])) };
    },
  );
}

async function viewOf(engine: Service["engine"], id: string): Promise<PersonTokenView> {
  const all = await engine.read((state) => [...state.people.values()].flatMap(tokenViews));
  const view = all.find((it) => it.id === id);
  if (!view) throw new Error(`token ${id} was not recorded`);
  return view;
}

function personView({ id, roles, tokens, invited_at_ms }: Member): PersonView {
  return { name: id, roles: roles.map((it) => ({ ...it })), tokens: tokens.length, invited_at_ms };
}

function tokenViews({ id: person, tokens }: Member): PersonTokenView[] {
  return tokens.map(({ id, scopes, created_at_ms, expires_at_ms, replaced_by, used_at_ms, device }) => ({
    id,
    person,
    scopes: [...scopes],
    created_at_ms,
    expires_at_ms,
    replaced_by: replaced_by ?? null,
    used_at_ms: used_at_ms ?? null,
    device: device ?? null,
  }));
}
