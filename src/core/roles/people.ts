/** People who may do something here without being at the socket: their roles, and the tokens that stand for them. */
/** In a project, each with all that the ones before it may. */
const PROJECT_ROLES = ["viewer", "asker", "approver", "owner"] as const;
/** Everywhere, always. */
export const GLOBAL_ROLES = ["admin", "auditor"] as const;
export const ROLES = [...PROJECT_ROLES, ...GLOBAL_ROLES] as const;
export type Role = (typeof ROLES)[number];

/** What a token may at most be used for. It narrows what the person's roles allow and never widens it. */
export const SCOPES = ["read", "ask", "answer", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

/** `project` is empty for a role in every project. */
export interface Grant {
  readonly role: Role;
  readonly project: string;
}

export interface PersonToken {
  readonly id: string;
  /** Of the whole token, in hex: nobody can make the token from it. */
  readonly sha256: string;
  readonly scopes: readonly Scope[];
  readonly created_at_ms: number;
  readonly expires_at_ms: number;
}

export interface Member {
  /** The name. */
  readonly id: string;
  readonly invited_at_ms: number;
  readonly roles: readonly Grant[];
  /** Those that were not revoked. */
  readonly tokens: readonly PersonToken[];
}

export type PersonFact =
  | { type: "person:invited"; id: string; project: ""; by: string }
  | { type: "person:granted"; id: string; role: Role; project: string; by: string }
  | { type: "person:ungranted"; id: string; role: Role; project: string; by: string }
  | {
      type: "person:trusted";
      id: string;
      project: "";
      token: string;
      sha256: string;
      scopes: readonly Scope[];
      expires_at_ms: number;
      by: string;
    }
  /** A token counts no more. */
  | { type: "person:distrusted"; id: string; project: ""; token: string; by: string };
