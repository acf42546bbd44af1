/** People, their roles and tokens: invited, granted, trusted, and all of it taken back. */
import { Refusal } from "../model/errors.ts";
import type { Fact } from "../model/events.ts";
import type { Moment } from "../model/ids.ts";
import type { State } from "../model/state/state.ts";
import type { Member, PersonToken, Role, Scope } from "../roles/people.ts";
import { GLOBAL_ROLES } from "../roles/people.ts";
import { suggest } from "../text/suggest.ts";
import type { Rights } from "./rights.ts";

/** Names stand in addresses, lists and messages. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,63}$/u;
const MOST_TOKENS = 100;

/** A person who is there already stays as they are. */
export function invitePerson(state: Readonly<State>, { name, by }: { name: string; by: string }): Fact[] {
  if (!NAME.test(name))
    throw new Refusal(
      "person.invalid",
      `"${name}" can't be a name: letters, digits, and . _ @ - between them`,
      null,
    );
  return state.people.has(name) ? [] : [{ type: "person:invited", id: name, project: "", by }];
}

export function findPerson({ people }: Readonly<State>, name: string): Member {
  const member = people.get(name);
  if (member) return member;
  const near = suggest(name, [...people.keys()]);
  const hint = near === null ? `oj invite ${name}` : `did you mean ${near}?`;
  throw new Refusal("person.not-found", `there is nobody called ${name}`, hint);
}

export interface RoleInput {
  name: string;
  role: Role;
  /** Null: in every project. */
  project: string | null;
  by: string;
}

export function grantRole(state: Readonly<State>, input: RoleInput): Fact[] {
  const { id, roles } = findPerson(state, input.name);
  const { role, by } = input;
  if (input.project !== null && GLOBAL_ROLES.some((it) => it === role))
    throw new Refusal(
      "person.invalid",
      `${role} is a role everywhere, not in a project`,
      `oj role grant ${id} ${role}`,
    );
  const project = input.project ?? "";
  if (roles.some((it) => it.role === role && it.project === project)) return [];
  return [{ type: "person:granted", id, role, project, by }];
}

export function revokeRole(state: Readonly<State>, input: RoleInput): Fact[] {
  const { id, roles } = findPerson(state, input.name);
  const { role, by } = input;
  const project = input.project ?? "";
  if (roles.some((it) => it.role === role && it.project === project))
    return [{ type: "person:ungranted", id, role, project, by }];
  const where = project === "" ? "" : ` in ${project}`;
  throw new Refusal("person.not-found", `${id} is not ${role}${where}`, "oj person");
}

export interface TokenInput {
  person: string;
  id: string;
  sha256: string;
  scopes: readonly Scope[];
  lasts_ms: number;
  by: string;
}

export function trustToken(
  state: Readonly<State>,
  input: TokenInput,
  { at_ms }: Pick<Moment, "at_ms">,
): Fact[] {
  const { id, tokens } = findPerson(state, input.person);
  const { id: token, sha256, scopes, lasts_ms, by } = input;
  if (tokens.length >= MOST_TOKENS)
    throw new Refusal("request.too-many", `${id} already has ${MOST_TOKENS} tokens`, "oj token revoke ID");
  const expires_at_ms = at_ms + lasts_ms;
  return [{ type: "person:trusted", id, project: "", token, sha256, scopes: [...scopes], expires_at_ms, by }];
}

/** One token by its id, or all of a person. */
export function distrust(
  state: Readonly<State>,
  { what, by }: { what: { token: string } | { person: string }; by: string },
): Fact[] {
  const gone = (id: string, token: string): Fact => ({
    type: "person:distrusted",
    id,
    project: "",
    token,
    by,
  });
  if ("person" in what) {
    const { id, tokens } = findPerson(state, what.person);
    return tokens.map((it) => gone(id, it.id));
  }
  for (const { id, tokens } of state.people.values())
    if (tokens.some((it) => it.id === what.token)) return [gone(id, what.token)];
  throw new Refusal("person.not-found", `there is no token ${what.token}`, "oj token list");
}

/** Whose token this is, and what it may be used for; null if there is none that counts now. */
export function findToken(
  { people }: Readonly<State>,
  id: string,
  at_ms: number,
): { member: Member; token: PersonToken; rights: Rights } | null {
  for (const member of people.values())
    for (const token of member.tokens)
      if (token.id === id && token.expires_at_ms > at_ms)
        return { member, token, rights: { roles: member.roles, scopes: token.scopes } };
  return null;
}
