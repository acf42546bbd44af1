/**
 * Tells who calls. A token decides everything: whatever else such a call says about itself (a user, a door, a name, a
 * project, a folder) is ignored. What a caller may do is in `principal.ts`.
 */
import { userInfo } from "node:os";
import type { Context } from "hono";
import { FOR_STRANGERS, HEADERS } from "../../api/api.ts";
import type { VouchingDoor } from "../../core/model/decision-types.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { AgentId, OwnerId } from "../../core/model/ids.ts";
import { useToken } from "../../core/rights/people.ts";
import type { Rights } from "../../core/rights/rights.ts";
import type { Bound } from "../../core/roles/people.ts";
import { mendText } from "../../core/text/safe-text.ts";
import type { Clock } from "../../ports.ts";
import type { Trust } from "../secrets/person-tokens.ts";
import { bearerOf } from "../secrets/person-tokens.ts";
import type { Service } from "./service.ts";
import type { StepCaller } from "./step-caller.ts";
import { stepCallerOf } from "./step-caller.ts";
import { vouchedFor } from "./vouched.ts";

export type Principal = Person | AgentCaller | ServiceCaller;

export interface Person {
  kind: "person";
  name: string;
  /** Who they are for rules about who may answer: at the socket its own user, whatever name the call gives. */
  who: string;
  /** The session, not started by oj, that the caller says it runs in. */
  session: string | null;
  /** The step of a job that the caller runs in. */
  step: StepCaller | null;
  /** What their token allows. Null: the socket's own user, who may do everything. */
  rights: Rights | null;
  /** The token that says so, or the door. */
  trust: Trust | null;
  /** The login of their browser. */
  login: string | null;
  /** The door that vouches for them. */
  door?: VouchingDoor;
}

export interface AgentCaller {
  kind: "agent";
  agent_id: AgentId;
  name: string;
  project: string;
  /** The project's folder. Its runbooks are the policy, not those of a copy that the agent works in. */
  root: string;
  /** The job or crew that the agent works for. */
  owner_id: OwnerId;
}

/** A program with a token for MCP. It asks in its one project, reads what it asked, and answers nothing. */
export interface ServiceCaller extends Bound {
  kind: "service";
  name: string;
  rights: Rights;
  trust: Trust;
}

declare module "hono" {
  interface ContextVariableMap {
    caller: Principal;
  }
}

/** What the login of a person's browser allows. */
export interface WebMember {
  rights: Rights;
  trust: Trust;
}

/** What the server itself knows about a call, besides what the call says. */
interface Env {
  /** At the web's door: who is logged in. Absent: the call came through the socket. */
  webUser?: string;
  /** The id of that login. */
  webLogin?: string;
  /** What that login rests on, if it is a person's who came through `oj serve`. */
  webMember?: WebMember;
  /** The call comes over MCP with a token that a person made. */
  service?: ServiceCaller;
}

export function webUser({ env }: Pick<Context, "env">): string | null {
  return (env as Env | undefined)?.webUser ?? null;
}

/** The login of the browser that calls; null: the call came through the socket. */
export function webLogin({ env }: Pick<Context, "env">): string | null {
  return (env as Env | undefined)?.webLogin ?? null;
}

export async function principalOf(
  context: Context,
  service: Pick<Service, "engine" | "agents" | "ports" | "owner" | "people">,
): Promise<Principal> {
  const { engine, agents, owner, ports } = service;
  const program = (context.env as Env | undefined)?.service;
  if (program) return program;
  const user = webUser(context);
  const member = (context.env as Env | undefined)?.webMember;
  if (user !== null && member)
    return { kind: "person", name: user, who: user, ...NOBODY, ...member, login: webLogin(context) };
  if (user !== null) return { kind: "person", name: user, who: owner(), ...NOBODY, login: webLogin(context) };
  const { req } = context;
  const token = req.header(HEADERS.agent);
  const bearer = req.header("authorization");
  const isRemote = req.header(HEADERS.remote) !== undefined;
  const said = req.header(HEADERS.person);
  // an agent stays an agent, and a token counts for itself: no door vouches for either
  if (said !== undefined && token === undefined && bearer === undefined)
    return { kind: "person", ...NOBODY, ...(await vouchedFor(said, req.header(HEADERS.door), service)) };
  if (isRemote && bearer === undefined && FOR_STRANGERS.has(req.path)) return stranger();
  // an agent stays an agent, whatever else it got hold of
  if (isRemote || (bearer !== undefined && token === undefined)) return memberOf(bearer, engine, ports.clock);
  if (token === undefined) {
    const session = readable(req.header(HEADERS.session)) || null;
    const run = req.header(HEADERS.run);
    const step = run === undefined ? null : await engine.read((state) => stepCallerOf(state, run));
    const name = nameOf(req.header(HEADERS.user));
    return { kind: "person", name, who: owner(), ...NOBODY, session, step };
  }
  const agent = await agentOf(token, { engine, agents });
  if (!agent) throw new Refusal("request.forbidden", "this token is unknown or has expired", null);
  return agent;
}

const NOBODY = { session: null, step: null, rights: null, trust: null, login: null };

/** Somebody without a token: no right at all, and no name that a rule could know. */
function stranger(): Person {
  return { kind: "person", name: "", who: "", ...NOBODY, rights: { roles: [], scopes: [] } };
}

/** A token decides everything, as an agent's does: whatever else the call says about who it is, is ignored. */
async function memberOf(
  bearer: string | undefined,
  engine: Service["engine"],
  clock: Pick<Clock, "now">,
): Promise<Person> {
  const found = await engine.read((state) => bearerOf(state, bearer, clock.now()));
  if (found === null)
    throw new Refusal(
      "login.required",
      "this takes a token, and the one given (if any) is unknown or no longer counts",
      "oj login URL --with-token",
    );
  const { name, rights, token, trust, isUseNews } = found;
  // whether this can be recorded says nothing about the call: nobody waits for it
  if (isUseNews) engine.run((state, moment) => useToken(state, token, moment)).catch(() => undefined);
  return { kind: "person", name, who: name, ...NOBODY, rights, trust };
}

export async function agentOf(
  token: string,
  { engine, agents }: Pick<Service, "engine" | "agents">,
): Promise<AgentCaller | null> {
  const agent_id = agents.tokens.agentOf(token);
  const agent = await engine.read((state) =>
    agent_id === null ? null : (state.agents.get(agent_id) ?? null),
  );
  if (!agent || agent.status === "ended") return null;
  const { id, name, project, root, owner } = agent;
  return { kind: "agent", agent_id: id, name, project, root, owner_id: owner.id };
}

/** Only one user can open the socket: a caller that sends neither a token nor a name is that user. */
function nameOf(header: string | undefined): string {
  try {
    return mendText(decodeURIComponent(header ?? "").slice(0, 200)) || userName();
  } catch {
    return "someone"; // the name can't be decoded
  }
}

/** Asks the system once: it takes longer than most calls, and a file descriptor, of which none may be left later. */
export function askedOnce(ask: () => string): () => string {
  let known: string | null = null;
  return () => {
    try {
      known ??= ask();
      return known;
    } catch {
      // there is no name, or it can't be read now: the next call asks again
      return `user ${process.getuid?.() ?? "unknown"}`;
    }
  };
}

export const userName = askedOnce(() => userInfo().username);

function readable(header: string | undefined): string {
  try {
    return mendText(decodeURIComponent(header ?? "").slice(0, 200));
  } catch {
    return "";
  }
}
