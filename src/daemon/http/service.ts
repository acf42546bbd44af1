/** What the routes depend on. */
import type { BeadsSynced, BeadsView, ChannelView } from "../../api/api.ts";
import type { Decision } from "../../core/model/decision-types.ts";
import type { ReachConfig } from "../../core/reach/config-types.ts";
import type { Plan, Telling } from "../../core/reach/plan.ts";
import type { Delivery, MailReceipt, ReceivedMail } from "../../core/reach/received-mail.ts";
import type { Ports } from "../../ports.ts";
import type { ReadReach } from "../../reach-config/read.ts";
import type { Settings } from "../../settings.ts";
import type { Agents } from "../agents/agents.ts";
import type { Chores } from "../engine/chores.ts";
import type { Engine } from "../engine/engine.ts";
import type { Hub } from "../engine/hub.ts";
import type { Machines } from "../engine/machines.ts";
import type { Rates } from "../engine/rates.ts";
import type { Passkeys } from "../passkeys/passkeys.ts";
import type { Policies } from "../runbooks/policies.ts";
import type { Remembering } from "../runbooks/remembering.ts";
import type { Suggestions } from "../runbooks/suggestions.ts";
import type { DeviceCodes } from "../secrets/device-codes.ts";
import type { Logins } from "../secrets/logins.ts";
import type { McpTokens } from "../secrets/mcp-tokens.ts";
import type { ViewCache } from "../views/view-cache.ts";
import type { Browsers } from "./browsers.ts";
import type { Localhost } from "./localhost.ts";
import type { OpenCalls } from "./open-calls.ts";
import type { BrowserLogins, Doors } from "./public-door.ts";
import type { Refused } from "./refused.ts";
import type { Places } from "./streams/places.ts";

export interface Service {
  engine: Engine;
  agents: Agents;
  chores: Pick<Chores, "late">;
  hub: Hub;
  policies: Policies;
  remembering: Remembering;
  suggestions: Suggestions;
  machines: Pick<Machines, "self" | "awaySince" | "isPresent" | "look" | "placed">;
  mcpTokens: McpTokens;
  logins: Logins;
  devices: DeviceCodes;
  openCalls: OpenCalls;
  passkeys: Passkeys;
  /** Browsers that log in with an OpenID provider. */
  providerLogins: BrowserLogins;
  cache: ViewCache;
  briefs: ViewCache;
  rates: Rates;
  places: Places;
  refused: Refused;
  ports: Ports;
  settings: Settings;
  /** Who the socket's own user is for rules about who may answer. */
  owner(): string;
  /** Whether the person wants no notices now. */
  isQuiet(): boolean;
  socket: string;
  /** The TCP port for agents' hooks, MCP and browsers. */
  port: number;
  /** Whether links may say `localhost` instead of the number. */
  localhost: Localhost;
  /** What is served there without a login. */
  doors: Doors;
  /** Where people reach the web inbox from elsewhere; null: only on this machine. */
  webUrl(): string | null;
  /** The browsers that get push messages; null: nobody is configured to be reached. */
  browsers(): Promise<Browsers | null>;
  /** Whether the person's config has a person of this name. */
  knows(person: string): boolean;
  /** Who can be told, as the person's config says it now. */
  people(): ReachConfig;
  /** What becomes of a mail that came in. Refuses if no channel takes mails. */
  receiveMail(mail: ReceivedMail, delivery: Delivery): Promise<MailReceipt>;
  reach: Reaching;
  mirroring: MirroredProjects;
  started_at_ms: number;
  /** The problems found with the store at start. */
  warnings: readonly string[];
  /** Aborted when the daemon stops: everyone who waits is told at once. */
  stopping: AbortSignal;
  stop(input: { kill: boolean }): void;
}

/** What the routes need to know about decisions as beads. */
export interface MirroredProjects {
  /** What the settings of the project that this folder belongs to say now; null if they can't be read. */
  look(folder: string): Promise<{ root: string; isOn: boolean } | null>;
  states(): Promise<BeadsView[]>;
  sync(root: string): Promise<BeadsSynced>;
}

/** What the routes need to know about reaching people. */
export interface Reaching {
  read: ReadReach;
  /** Makes the channels that are configured now. */
  begin(): Promise<void>;
  channels(): Promise<ChannelView[]>;
  noticesFor(decision: Pick<Decision, "urgency" | "blocks">, telling: Telling): Plan;
}
