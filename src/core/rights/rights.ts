/**
 * Who may do what. This is the only place that decides it: every door asks here, whatever the caller came through. A
 * role gives rights in a project or everywhere, and a token's scopes narrow them.
 */
import { Refusal } from "../model/errors.ts";
import type { Grant, Role, Scope } from "../roles/people.ts";
import { SCOPES } from "../roles/people.ts";

/** `own`: withdraw what others have asked. `admin`: everything else that changes something. */
export const RIGHTS = ["read", "ask", "answer", "own", "admin"] as const;
export type Right = (typeof RIGHTS)[number];

export interface Rights {
  roles: readonly Grant[];
  scopes: readonly Scope[];
}

const GIVES: Readonly<Record<Role, readonly Right[]>> = {
  viewer: ["read"],
  asker: ["read", "ask"],
  approver: ["read", "ask", "answer"],
  owner: ["read", "ask", "answer", "own"],
  auditor: ["read"],
  admin: RIGHTS,
};

const ALLOWS: Readonly<Record<Scope, readonly Right[]>> = {
  read: ["read"],
  ask: ["read", "ask"],
  answer: ["read", "answer"],
  admin: RIGHTS,
};

/** In this project; in every project if it is null. Rights that are null are those of the socket's own user: all. */
export function may(rights: Rights | null, right: Right, project: string | null): boolean {
  if (rights === null) return true;
  const isInScope = rights.scopes.some((it) => ALLOWS[it].includes(right));
  const isGiven = rights.roles.some(
    (it) => GIVES[it.role].includes(right) && (it.project === "" || it.project === project),
  );
  return isInScope && isGiven;
}

/** Whether a token with these scopes may stand in for one with those. */
export function covers(scopes: readonly Scope[], wanted: readonly Scope[]): boolean {
  const given = new Set(scopes.flatMap((it) => ALLOWS[it]));
  return wanted.every((it) => ALLOWS[it].every((right) => given.has(right)));
}

/** In any project at all. */
export function maySomewhere(rights: Rights | null, right: Right): boolean {
  return may(rights, right, null) || (rights?.roles ?? []).some((it) => may(rights, right, it.project));
}

/** `project`: one, `ANYWHERE`, or null for everywhere. `rights` say whether a role is missing, or only the token's scope. */
export function refuseUnless(
  is: boolean,
  { name, rights }: { name: string; rights: Rights | null },
  right: Right,
  project: string | null,
): void {
  if (is) return;
  const { roles = [], scopes = [] } = rights ?? {};
  const all = { roles, scopes: SCOPES };
  const hasRole = project === ANYWHERE ? maySomewhere(all, right) : may(all, right, project);
  if (hasRole)
    throw new Refusal(
      "request.forbidden",
      `${name} may ${WORDS[right]}, but not with this token: its scopes are ${scopes.join(", ")}`,
      `it takes the scope ${SCOPES.find((it) => ALLOWS[it].includes(right))}: oj token create --for ${name}`,
    );
  const where =
    project === null ? "everywhere" : project === ANYWHERE ? "in a project" : `in project ${project}`;
  throw new Refusal(
    "request.forbidden",
    `${name} may not do this: it takes the right to ${WORDS[right]} ${where}`,
    null,
  );
}

/** No project has this name. */
export const ANYWHERE = "";

const WORDS: Readonly<Record<Right, string>> = {
  read: "read",
  ask: "ask",
  answer: "answer",
  own: "withdraw what others asked",
  admin: "administer",
};
