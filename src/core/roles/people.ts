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

/** What a token for MCP is bound to. */
export interface Bound {
  /** The only project that it asks in. */
  readonly project: string;
  /** The project's folder, whose templates and rules apply, on the machine where the token was made. */
  readonly root: string;
  /** Absent: there was only one. */
  readonly machine?: string;
  /** Who made it: what is asked with it is their work. */
  readonly sponsor: string;
}

/** Where a token was asked for with a code, and by what name it called itself. */
export interface Device {
  readonly label: string;
  /** The address that the call came from, as `oj serve` saw it. */
  readonly address: string;
}

export interface PersonToken {
  readonly id: string;
  /** Of the whole token, in hex: nobody can make the token from it. */
  readonly sha256: string;
  readonly scopes: readonly Scope[];
  readonly created_at_ms: number;
  readonly expires_at_ms: number;
  /** The token that it was rotated into: it counts for a while longer, so that whoever uses it can change over. */
  readonly replaced_by?: string;
  /** Roughly: uses are recorded once an hour. */
  readonly used_at_ms?: number;
  /** Of a service. */
  readonly bound?: Bound;
  /** It was asked for with a code (`oj login`), by this machine. */
  readonly device?: Device;
  /** The token with which that was approved: if it is revoked, so is this one. */
  readonly parent?: string;
}

/** What a person proves with that they are there. The private key never leaves their device. */
export interface Passkey {
  /** The credential's id, in base64url. */
  readonly id: string;
  /** The public key as SPKI, in base64. */
  readonly key: string;
  /** Of COSE: ES256, EdDSA or RS256. */
  readonly alg: -7 | -8 | -257;
  /** The name of the site that it was made for. */
  readonly rp_id: string;
  readonly label: string;
  /** How often it had signed when we last heard; 0 if it doesn't count. */
  readonly counter: number;
  readonly added_at_ms: number;
  readonly used_at_ms?: number;
}

/** What an authenticator has signed, in base64url as the browser gave it. */
export interface Signed {
  readonly credential: string;
  readonly rp_id: string;
  readonly nonce: string;
  readonly client_data: string;
  readonly authenticator_data: string;
  readonly signature: string;
}

/** Recorded with an answer, so that anybody can check it later. */
export interface Receipt extends Signed {
  /** The public key, as SPKI in base64. */
  readonly key: string;
  /** The text whose SHA-256 was the challenge. */
  readonly statement: string;
}

export interface Member {
  /** The name. */
  readonly id: string;
  /** A program that asks over MCP: it answers nothing. Absent: a person. */
  readonly kind?: "service";
  readonly invited_at_ms: number;
  readonly roles: readonly Grant[];
  /** Those that were not revoked. */
  readonly tokens: readonly PersonToken[];
  /** Those that were not removed. */
  readonly passkeys?: readonly Passkey[];
}

/** Somebody who left. The name stays, so that whoever is invited under it later inherits nothing. */
export interface Removed {
  /** The name. */
  readonly id: string;
  readonly at_ms: number;
  readonly by: string;
  /**
   * Somebody has this name again, and what the settings say about it (addresses, ssh, proxies, providers) is theirs.
   * Absent: none of that counts.
   */
  readonly doors?: true;
}

/** What a removal has ended, by name: for whoever reads the log later. */
export interface Ended {
  roles: readonly Grant[];
  tokens: readonly string[];
  passkeys: readonly string[];
  /** Programs that asked over MCP with a token that they made. */
  services: readonly string[];
}

export type PersonFact =
  /** `doors`: what the settings say about a name that somebody else had before counts for this person. */
  | { type: "person:invited"; id: string; kind?: "service"; doors?: true; project: ""; by: string }
  /** They left: nothing that was theirs counts any more, through any door. */
  | { type: "person:removed"; id: string; project: ""; ended: Ended; by: string }
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
      bound?: Bound;
      device?: Device;
      parent?: string;
      by: string;
    }
  /** A token was rotated: it counts until then at most, and `replaced_by` is the one to use. */
  | {
      type: "person:rotated";
      id: string;
      project: "";
      token: string;
      replaced_by: string;
      expires_at_ms: number;
      by: string;
    }
  /** A passkey was registered. */
  | { type: "person:keyed"; id: string; project: ""; passkey: Omit<Passkey, "added_at_ms">; by: string }
  /** A passkey has signed an answer. */
  | { type: "person:signed"; id: string; project: ""; passkey: string; counter: number }
  /** A passkey counts no more. */
  | { type: "person:unkeyed"; id: string; project: ""; passkey: string; by: string }
  /** A token was used, for the first time in this hour. */
  | { type: "person:used"; id: string; project: ""; token: string }
  /** A token counts no more. */
  | { type: "person:distrusted"; id: string; project: ""; token: string; by: string };
