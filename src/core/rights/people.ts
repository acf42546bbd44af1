/** People, their roles and tokens: invited, granted, trusted, and all of it taken back. */
import { Refusal } from "../model/errors.ts";
import type { Fact } from "../model/events.ts";
import type { Moment } from "../model/ids.ts";
import type { State } from "../model/state/state.ts";
import type { Bound, Device, Member, PersonToken, Removed, Role, Scope } from "../roles/people.ts";
import { GLOBAL_ROLES } from "../roles/people.ts";
import { suggest } from "../text/suggest.ts";
import type { Rights } from "./rights.ts";

/** Names stand in addresses, lists and messages. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,63}$/u;
const MOST_TOKENS = 100;

/**
 * A person who is there already stays as they are. Where somebody else left who had the name, what the settings say
 * about it stays shut unless `doors` says that it is this person's now.
 */
export function invitePerson(
  state: Readonly<State>,
  { name, by, doors = false }: { name: string; by: string; doors?: boolean },
): Fact[] {
  if (!NAME.test(name))
    throw new Refusal(
      "person.invalid",
      `"${name}" can't be a name: letters, digits, and . _ @ - between them`,
      null,
    );
  const opens = doors && !isOpenTo(state, name);
  if (state.people.has(name) && !opens) return [];
  return [{ type: "person:invited", id: name, project: "", ...(opens && { doors: true }), by }];
}

/** Who left, by name. */
export interface Leaving {
  removed: { get(name: string): Removed | undefined };
}

/**
 * Whether what the settings say about a name counts: an address, an ssh key, what a proxy or a provider calls somebody.
 * It does not once its person has left, nor for the next one of that name, until somebody says so.
 */
export function isOpenTo({ removed }: Leaving, name: string): boolean {
  const before = removed.get(name);
  return before === undefined || before.doors === true;
}

/** Whether a message about this decision may be this person's, and not that of somebody before them with their name. */
export function mayHaveHeard(state: Leaving, name: string, decision: { created_at_ms: number }): boolean {
  return isOpenTo(state, name) && !hasLeftSince(state, name, decision);
}

/** Whether the name stood for somebody who has left since: whoever has it next takes no place of theirs. */
export function hasLeftSince(
  { removed }: Leaving,
  name: string,
  { created_at_ms }: { created_at_ms: number },
): boolean {
  const before = removed.get(name);
  return before !== undefined && before.at_ms >= created_at_ms;
}

export function findPerson({ people }: Readonly<State>, name: string): Member {
  const member = people.get(name);
  if (member) return member;
  const near = suggest(name, [...people.keys()]);
  const hint = near === null ? `oj invite ${name}` : `did you mean ${near}?`;
  throw new Refusal("person.not-found", `there is nobody called ${name}`, hint);
}

/** A service has the role that its token was made with, and no other. */
export function findHuman(state: Readonly<State>, name: string): Member {
  const member = findPerson(state, name);
  if (member.kind === undefined) return member;
  throw new Refusal("person.invalid", `${name} is no person: it asks over MCP, and answers nothing`, null);
}

export interface RoleInput {
  name: string;
  role: Role;
  /** Null: in every project. */
  project: string | null;
  by: string;
}

export function grantRole(state: Readonly<State>, input: RoleInput): Fact[] {
  const { id, roles } = findHuman(state, input.name);
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
  const { id, roles } = findHuman(state, input.name);
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
  return trusted(findHuman(state, input.person), input, at_ms);
}

export function trusted(
  { id, tokens }: Member,
  input: Omit<TokenInput, "person"> & { bound?: Bound; device?: Device; parent?: string },
  at_ms: number,
): Fact[] {
  const { id: token, sha256, scopes, lasts_ms, by } = input;
  if (tokens.filter((it) => it.expires_at_ms > at_ms).length >= MOST_TOKENS)
    throw new Refusal("request.too-many", `${id} already has ${MOST_TOKENS} tokens`, "oj token revoke ID");
  const expires_at_ms = at_ms + lasts_ms;
  const { bound, device, parent } = input;
  const more = { ...(bound && { bound }), ...(device && { device }), ...(parent && { parent }) };
  const given = { token, sha256, scopes: [...scopes], expires_at_ms, ...more, by };
  return [{ type: "person:trusted", id, project: "", ...given }];
}

export interface RotationInput {
  /** The id of the token that is to be replaced. */
  old: string;
  /** The new one. */
  id: string;
  sha256: string;
  /** How long the old one still counts; 0: it is revoked at once. */
  overlap_ms: number;
  /** Null: as long as the old one was meant to. */
  lasts_ms: number | null;
  by: string;
}

/** The new token has the person and the scopes of the old one, which never counts longer than it did before. */
export function rotateToken(
  state: Readonly<State>,
  input: RotationInput,
  { at_ms }: Pick<Moment, "at_ms">,
): Fact[] {
  const { member, token: old } = tokenById(state, input.old);
  const { id, project } = { id: member.id, project: "" } as const;
  if (old.replaced_by !== undefined)
    throw new Refusal(
      "person.invalid",
      `token ${old.id} was already rotated into ${old.replaced_by}`,
      `oj token rotate ${old.replaced_by}`,
    );
  if (old.expires_at_ms <= at_ms)
    throw new Refusal(
      "person.invalid",
      `token ${old.id} has expired, so nothing is left to rotate`,
      `oj token create --for ${id}`,
    );
  const { overlap_ms, by, sha256 } = input;
  const spent = member.tokens.filter((it) => it.replaced_by !== undefined && it.expires_at_ms <= at_ms);
  const lasts_ms = input.lasts_ms ?? old.expires_at_ms - old.created_at_ms;
  const { bound, device, parent } = old;
  const more = { ...(bound && { bound }), ...(device && { device }), ...(parent && { parent }) };
  const next = { id: input.id, sha256, scopes: old.scopes, lasts_ms, ...more, by };
  const expires_at_ms = Math.min(old.expires_at_ms, at_ms + overlap_ms);
  return [
    ...spent.map((it) => distrusted(id, it.id, by)),
    ...trusted(member, next, at_ms),
    { type: "person:rotated", id, project, token: old.id, replaced_by: input.id, expires_at_ms, by },
    ...(overlap_ms === 0 ? descent(member, old.id).map((it) => distrusted(id, it, by)) : []),
  ];
}

/** A token was used; recorded once an hour. */
export function useToken(state: Readonly<State>, id: string, { at_ms }: Pick<Moment, "at_ms">): Fact[] {
  const found = findToken(state, id, at_ms);
  if (found === null || !isUseNews(found.token, at_ms)) return [];
  return [{ type: "person:used", id: found.member.id, project: "", token: id }];
}

const USE_EVERY_MS = 3_600_000;

export function isUseNews({ used_at_ms }: PersonToken, at_ms: number): boolean {
  return used_at_ms === undefined || at_ms - used_at_ms >= USE_EVERY_MS;
}

export function distrusted(id: string, token: string, by: string): Fact {
  return { type: "person:distrusted", id, project: "", token, by };
}

export function tokenById({ people }: Readonly<State>, id: string): { member: Member; token: PersonToken } {
  for (const member of people.values())
    for (const token of member.tokens) if (token.id === id) return { member, token };
  throw new Refusal("person.not-found", `there is no token ${id}`, "oj token list");
}

/** One token by its id and those that were approved with it, or all of a person. */
export function distrust(
  state: Readonly<State>,
  { what, by }: { what: { token: string } | { person: string }; by: string },
): Fact[] {
  if ("person" in what) {
    const { id, tokens } = findPerson(state, what.person);
    return tokens.map((it) => distrusted(id, it.id, by));
  }
  const { member, token } = tokenById(state, what.token);
  return descent(member, token.id).map((it) => distrusted(member.id, it, by));
}

/** A token, and the tokens that were approved with it, and with those. */
function descent({ tokens }: Member, id: string): string[] {
  const ids = new Set([id]);
  // a token is recorded after the one that it was approved with
  for (const it of tokens) if (it.parent !== undefined && ids.has(it.parent)) ids.add(it.id);
  return [...ids];
}

export interface FoundToken {
  member: Member;
  token: PersonToken;
  rights: Rights;
}

/** Whose token this is, and what it may be used for; null if there is none that counts now. */
export function findToken({ people }: Readonly<State>, id: string, at_ms: number): FoundToken | null {
  for (const member of people.values())
    for (const token of member.tokens)
      if (token.id === id && token.expires_at_ms > at_ms)
        return { member, token, rights: { roles: member.roles, scopes: token.scopes } };
  return null;
}
