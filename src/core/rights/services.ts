/** Programs that ask over MCP: each has a name, one project, and one token. They ask and read; they answer nothing. */
import { Refusal } from "../model/errors.ts";
import type { Fact } from "../model/events.ts";
import type { Moment } from "../model/ids.ts";
import type { State } from "../model/state/state.ts";
import type { Bound, Member } from "../roles/people.ts";
import type { FoundToken } from "./people.ts";
import { distrusted, trusted } from "./people.ts";

/** No person's name has a colon. */
const KIND = "mcp:";
const MOST = 1000;

export interface ServiceInput {
  name: string;
  bound: Bound;
  id: string;
  sha256: string;
  lasts_ms: number;
  by: string;
}

/** A token that the name had before counts no more. */
export function trustService(
  state: Readonly<State>,
  { name, bound, by, ...made }: ServiceInput,
  { at_ms }: Pick<Moment, "at_ms">,
): Fact[] {
  const id = KIND + name;
  const known = state.people.get(id);
  if (!known && services(state).length >= MOST)
    throw new Refusal("request.too-many", `${MOST} names already have a token`, "oj mcp --revoke NAME");
  const member: Member = known ?? { id, kind: "service", invited_at_ms: at_ms, roles: [], tokens: [] };
  const { project } = bound;
  const isAsker = member.roles.some((it) => it.project === project);
  return [
    ...(known ? [] : [{ type: "person:invited", id, kind: "service", project: "", by } as const]),
    ...member.tokens.map((it) => distrusted(id, it.id, by)),
    ...member.roles
      .filter((it) => it.project !== project)
      .map((it): Fact => ({ type: "person:ungranted", id, ...it, by })),
    ...(isAsker ? [] : [{ type: "person:granted", id, role: "asker", project, by } as const]),
    ...trusted({ ...member, tokens: [] }, { ...made, scopes: ["ask"], bound, by }, at_ms),
  ];
}

export function distrustService(state: Readonly<State>, { name, by }: { name: string; by: string }): Fact[] {
  const id = KIND + name;
  const tokens = state.people.get(id)?.tokens ?? [];
  if (tokens.length === 0) throw new Refusal("request.not-found", `${name} has no token`, "oj mcp --tokens");
  return tokens.map((it) => distrusted(id, it.id, by));
}

export interface FoundService extends FoundToken {
  name: string;
  bound: Bound;
}

/** Every token of a service that counts now, or has expired and was not revoked. */
export function serviceTokens(state: Readonly<State>): FoundService[] {
  return services(state).flatMap((member) =>
    member.tokens.flatMap((token) => {
      const { bound, scopes } = token;
      if (bound === undefined) return [];
      const rights = { roles: member.roles, scopes };
      return [{ name: member.id.slice(KIND.length), bound, member, token, rights }];
    }),
  );
}

function services({ people }: Readonly<State>): Member[] {
  return [...people.values()].filter((it) => it.kind === "service");
}
