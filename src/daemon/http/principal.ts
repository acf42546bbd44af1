/**
 * Tells who calls, and what belongs to them. An agent's token decides everything: whatever else such a call says about
 * itself (a user, a door, a name, a project, a folder) is ignored. An agent asks, reads and awaits its own decisions;
 * it answers none.
 */
import { userInfo } from "node:os";
import type { Context } from "hono";
import { HEADERS } from "../../api/api.ts";
import type { Crew } from "../../core/model/agent-types.ts";
import type { Decision, Via } from "../../core/model/decision-types.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { Gist } from "../../core/model/gist.ts";
import type { AgentId, OwnerId } from "../../core/model/ids.ts";
import type { Job } from "../../core/model/job-types.ts";
import { findDecision, findRun, matchId } from "../../core/model/state/find.ts";
import type { State } from "../../core/model/state/state.ts";
import type { Requester } from "../../core/request/types.ts";
import type { Right, Rights } from "../../core/rights/rights.ts";
import { may, refuseUnless } from "../../core/rights/rights.ts";
import { mendText } from "../../core/text/safe-text.ts";
import type { Clock } from "../../ports.ts";
import { bearerOf } from "../secrets/person-tokens.ts";
import type { Service } from "./service.ts";
import type { StepCaller } from "./step-caller.ts";
import { stepCallerOf } from "./step-caller.ts";

export type Principal = Person | AgentCaller;

interface Person {
  kind: "person";
  name: string;
  /** The session, not started by oj, that the caller says it runs in. */
  session: string | null;
  /** The step of a job that the caller runs in. */
  step: StepCaller | null;
  /** What their token allows. Null: the socket's own user, who may do everything. */
  rights: Rights | null;
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

declare module "hono" {
  interface ContextVariableMap {
    caller: Principal;
  }
}

/** What the server itself knows about a call, besides what the call says. */
interface Env {
  /** At the web's door: who is logged in. Absent: the call came through the socket. */
  webUser?: string;
  /** The id of that login. */
  webLogin?: string;
  /** The call comes over MCP with a token that a person made. It is confined to this project. */
  mcpProject?: string;
}

/** The only project that a call may be about, whatever else it says. Null: any project. */
export function confinedTo({ env }: Pick<Context, "env">): string | null {
  return (env as Env | undefined)?.mcpProject ?? null;
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
  { engine, agents, ports: { clock } }: Pick<Service, "engine" | "agents" | "ports">,
): Promise<Principal> {
  const user = webUser(context);
  if (user !== null) return { kind: "person", name: user, session: null, step: null, rights: null };
  const { req } = context;
  const token = req.header(HEADERS.agent);
  const bearer = req.header("authorization");
  const isRemote = req.header(HEADERS.remote) !== undefined;
  // an agent stays an agent, whatever else it got hold of
  if (isRemote || (bearer !== undefined && token === undefined)) return memberOf(bearer, engine, clock);
  if (token === undefined) {
    const session = readable(req.header(HEADERS.session)) || null;
    const run = req.header(HEADERS.run);
    const step = run === undefined ? null : await engine.read((state) => stepCallerOf(state, run));
    return { kind: "person", name: nameOf(req.header(HEADERS.user)), session, step, rights: null };
  }
  const agent = await agentOf(token, { engine, agents });
  if (!agent) throw new Refusal("request.forbidden", "this token is unknown or has expired", null);
  return agent;
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
  return { kind: "person", name: found.name, session: null, step: null, rights: found.rights };
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

/**
 * A session must not answer its own questions. This is no real barrier: a session runs as the person, and may hide what
 * it is.
 */
export function refuseOwn(state: Readonly<State>, caller: Principal, text: string): void {
  if (caller.kind !== "person" || caller.session === null) return;
  const { id, session } = findDecision(state, text);
  if (session === caller.session)
    throw new Refusal(
      "decision.not-yours",
      `${id} was asked by this session, so a person has to answer it`,
      "in your own shell: oj decision review",
    );
}

const DOORS: readonly Via[] = ["cli", "tui", "web"];
/** What a caller with a token may say: pages in a browser don't come this way. */
const REMOTE_DOORS: readonly Via[] = ["cli", "tui"];

export function viaOf(context: Context, caller: Principal): Via {
  if (webUser(context) !== null) return "web";
  const said = context.req.header(HEADERS.via);
  if (caller.kind !== "person") return "api";
  const doors = caller.rights === null ? DOORS : REMOTE_DOORS;
  return doors.find((it) => it === said) ?? "api";
}

export function refuseAgents(caller: Principal): void {
  if (caller.kind === "agent")
    throw new Refusal(
      "request.forbidden",
      `agent ${caller.agent_id} may not do this: agents ask, people answer`,
      null,
    );
}

/** The project that a call is about. An agent has only one; a person with a token needs that right in it. */
export function projectFor<P extends string | undefined>(
  caller: Principal,
  asked: P,
  right: Right = "read",
): P | string {
  if (caller.kind === "person") {
    if (asked !== undefined) permit(caller, right, asked);
    return asked;
  }
  if (asked === caller.project) return asked;
  if (asked === undefined) return caller.project;
  throw new Refusal(
    "request.forbidden",
    `an agent of project ${caller.project} can't use another project`,
    null,
  );
}

/** A folder without runbooks. */
const NOWHERE = "/";

/** The folder whose runbooks a call is about. */
export function folderFor(caller: Principal, asked: string): string {
  if (caller.kind === "agent") return caller.root;
  return caller.rights === null ? asked : NOWHERE; // their folders are on another machine
}

/** Refuses a caller without that right in the project; everywhere, if it is null. */
function permit(caller: Principal, right: Right, project: string | null): void {
  if (caller.kind === "person") refuseUnless(may(caller.rights, right, project), caller.name, right, project);
}

/** Whether what is in this project may be shown to the caller. */
export function mayRead(caller: Principal, project: string): boolean {
  return caller.kind === "agent" ? project === caller.project : may(caller.rights, "read", project);
}

/**
 * True for a person who may read the project. For an agent: if the decision was asked by it, is about it, or was asked by the job or
 * crew that it works for.
 */
export function isTheirs(
  caller: Principal,
  { agent_id, owner, project }: Pick<Gist, "agent_id" | "owner" | "project">,
): boolean {
  if (caller.kind === "person") return may(caller.rights, "read", project);
  return agent_id === caller.agent_id || owner.id === caller.owner_id;
}

/**
 * The decision that this caller means. An agent learns nothing about decisions that are not its own, not even that they
 * exist.
 */
export function decisionFor(state: Readonly<State>, caller: Principal, text: string): Decision {
  if (caller.kind === "person" && may(caller.rights, "read", null)) return findDecision(state, text);
  const own = matchId(state.decisions.keys(), "dec", text).filter((id) => {
    const gist = state.decisions.gist(id);
    return gist !== undefined && isTheirs(caller, gist);
  });
  const [id] = own;
  const code = caller.kind === "person" ? "request.forbidden" : "decision.not-yours";
  if (id === undefined) throw new Refusal(code, `${text} is not one of your decisions`, null);
  if (own.length === 1) return findDecision(state, id);
  const candidates = own.slice(0, 10);
  throw new Refusal(
    "decision.ambiguous",
    `"${text}" matches ${own.length} of your decisions`,
    candidates.join("  "),
    {
      candidates,
    },
  );
}

/** The decision that this caller may answer. */
export function answerableFor(state: Readonly<State>, caller: Principal, text: string): Decision {
  const decision = decisionFor(state, caller, text);
  permit(caller, "answer", decision.project);
  return decision;
}

/** The request that this caller may withdraw. */
export function requestFor(state: Readonly<State>, caller: Principal, text: string): Decision {
  const decision = decisionFor(state, caller, text);
  if (caller.kind === "person") {
    permit(caller, decision.requested_by === caller.name ? "ask" : "own", decision.project);
    return decision;
  }
  if (decision.agent_id === caller.agent_id && decision.source === "request") return decision;
  throw new Refusal("decision.not-yours", `${decision.id} was not asked by you`, null);
}

/** Who is recorded as the requester. An agent can't choose a name: its token says who it is. */
export function requesterOf(caller: Principal, as: string | null): Requester {
  if (caller.kind === "person" && caller.rights !== null && as !== null)
    throw new Refusal("request.forbidden", `a token asks in its person's name, not as "${as}"`, null);
  if (caller.kind === "person")
    return { name: as ?? caller.name, is_agent: as !== null, agent_id: null, session: null };
  if (as !== null)
    throw new Refusal("request.forbidden", `agent ${caller.agent_id} may not ask as "${as}"`, null);
  return { name: caller.name, is_agent: true, agent_id: caller.agent_id, session: null };
}

/** The agent that this caller means. An agent can only mean itself. */
export function itself(caller: Principal, text: string): string {
  if (caller.kind === "person") return text;
  if (matchId([caller.agent_id], "agt", text).length > 0) return caller.agent_id;
  throw new Refusal("request.forbidden", `${text} is another agent`, null);
}

/** The job or crew that this caller means. An agent can only mean the one it works for. */
export function runFor(state: Readonly<State>, caller: Principal, text: string): Job | Crew {
  if (caller.kind === "person") return findRun(state, text);
  const kind = caller.owner_id.startsWith("crew-") ? "crew" : "job";
  if (matchId([caller.owner_id], kind, text).length === 0)
    throw new Refusal("request.forbidden", `${text} is not the ${kind} you work for`, null);
  return findRun(state, caller.owner_id);
}

/** Only a person may, in a shell of their own or in their browser: no agent, and no command of a session. */
export function refuseSessions(caller: Principal): void {
  if (caller.kind === "person" && caller.session === null) return;
  throw new Refusal(
    "request.forbidden",
    "only a person may say which policies count",
    "do this in your own shell",
  );
}
