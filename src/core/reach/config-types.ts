/** What a person's config says about people, channels and routes, as it was read and checked. */
import type { Source } from "../model/decision-types.ts";
import type { ChannelKind } from "../model/reach-types.ts";
import type { Urgency } from "../model/runbook.ts";

export interface ReachConfig {
  people: ReadonlyMap<string, Person>;
  groups: ReadonlyMap<string, readonly string[]>;
  rotas: ReadonlyMap<string, Rota>;
  /** By name: `slack`, `webhook.audit`. */
  channels: ReadonlyMap<string, ChannelConfig>;
  /** The first that matches counts. */
  routes: readonly RouteDef[];
  /** Where people reach the web inbox from elsewhere; null: only on this machine. */
  webUrl: string | null;
  /** Where they reach `oj serve`; null: that is not said. */
  serveUrl: string | null;
  /** The OpenID provider that people log in with; null: there is none. */
  oidc: OidcConfig | null;
  /** The doors that say who comes in: the daemon believes what such a door says, if it is open. */
  doors: DoorsConfig;
}

export interface DoorsConfig {
  /** Commands that sshd forces on a key (`oj ssh`). */
  ssh: boolean;
  proxy: ProxyConfig | null;
  tailscale: TailscaleConfig | null;
}

/** A proxy that has checked who somebody is, and says so in a header. */
export interface ProxyConfig {
  /** In small letters. */
  header: string;
  /** SHA-256 of the certificates that it shows over TLS, in hex without colons. Over a unix socket it needs none. */
  certificates: readonly string[];
  /** What it calls people → what we do. Without an entry it must be the same. */
  people: ReadonlyMap<string, string>;
}

export interface TailscaleConfig {
  /** The socket of the local tailscaled. */
  socket: string;
  /** Login names there → ours. Without an entry it must be the same. */
  people: ReadonlyMap<string, string>;
}

export interface OidcConfig {
  /** What people call it; null: its host's name. */
  name: string | null;
  issuer: string;
  client_id: string;
  /** Null: the provider knows us by PKCE alone. */
  client_secret_file: string | null;
  /** What the provider calls a person by. A mail address must be verified. */
  claim: "email" | "sub";
  /** That name → ours. Without an entry it must be the same. */
  people: ReadonlyMap<string, string>;
}

export interface Person {
  name: string;
  /** Their address on each kind of channel: `mail`, `slack`, `ntfy`, `telegram` … */
  addresses: Readonly<Partial<Record<ChannelKind, string>>>;
  hours: Hours | null;
  /** The time of day of their digest, as minutes after midnight in the zone of their hours; null: there is none. */
  digest: number | null;
}

/** Hours of a week, in a zone. */
export interface Hours {
  zone: string;
  /** Days from 0 (Monday); minutes after midnight. A range that ends before it begins goes on into the next day. */
  ranges: readonly { days: readonly number[]; from: number; to: number }[];
  /** As it was written. */
  text: string;
}

export interface Rota {
  people: readonly string[];
  turn_ms: number;
  /** The wall clock's turns: a turn of whole days begins at the same time of day, also across a change of clocks. */
  from: { local: string; zone: string };
}

export interface ChannelConfig {
  name: string;
  kind: ChannelKind;
  /** Its settings as written; the channel's own folder checks them. */
  settings: Readonly<Record<string, unknown>>;
}

export interface RouteDef {
  project: readonly string[] | null;
  source: readonly Source[] | null;
  urgency: readonly Urgency[] | null;
  escalation: string | null;
  notify: readonly string[];
  /** Names of channels; null: every one that the person has. */
  via: readonly string[] | null;
}
