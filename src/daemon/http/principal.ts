/**
 * Tells what belongs to a caller. An agent asks, reads and awaits its own decisions, and so does a program that comes
 * over MCP; they answer none.
 */
import type { Context } from "hono";
import { HEADERS } from "../../api/api.ts";
import type { Crew } from "../../core/model/agent-types.ts";
import type { Decision, Via } from "../../core/model/decision-types.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { Gist } from "../../core/model/gist.ts";
import type { Job } from "../../core/model/job-types.ts";
import { findDecision, findRun, matchId } from "../../core/model/state/find.ts";
import type { State } from "../../core/model/state/state.ts";
import type { Requester } from "../../core/request/types.ts";
import { hasLeftSince } from "../../core/rights/people.ts";
import type { Right } from "../../core/rights/rights.ts";
import { may, refuseUnless } from "../../core/rights/rights.ts";
import type { Person, Principal } from "./callers.ts";
import { webUser } from "./callers.ts";
import type { Holder } from "./streams/places.ts";

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
  if (caller.door !== undefined) return caller.door;
  const doors = caller.rights === null ? DOORS : REMOTE_DOORS;
  return doors.find((it) => it === said) ?? "api";
}

/** Whose share of the places an open call counts for. A person is one, however many tokens and browsers they have. */
export function holderOf(caller: Principal): Holder {
  switch (caller.kind) {
    case "agent":
      return { key: `agent ${caller.agent_id}`, isOwner: false };
    case "service":
      return { key: `program ${caller.name}`, isOwner: false };
    case "person":
      return caller.rights === null
        ? { key: "owner", isOwner: true }
        : { key: `person ${caller.name}`, isOwner: false };
  }
}

export function refuseAgents(caller: Principal): void {
  if (caller.kind !== "person")
    throw new Refusal(
      "request.forbidden",
      `${spoken(caller)} may not do this: agents ask, people answer`,
      null,
    );
}

function spoken(caller: Exclude<Principal, { kind: "person" }>): string {
  return caller.kind === "agent" ? `agent ${caller.agent_id}` : caller.name;
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
    `${caller.kind === "agent" ? "an agent" : caller.name} of project ${caller.project} can't use another project`,
    null,
  );
}

/** Whether what they ask can only be about work of its own project: they may not ask in every one. */
export function isConfined(caller: Principal): boolean {
  return caller.kind === "person" ? !may(caller.rights, "ask", null) : true;
}

/** A folder without runbooks. */
const NOWHERE = "/";

/** The folder whose runbooks a call is about. */
export function folderFor(caller: Principal, asked: string): string {
  if (caller.kind !== "person") return caller.root;
  return caller.rights === null ? asked : NOWHERE; // their folders are on another machine
}

/** Refuses a caller without that right in the project; everywhere, if it is null. */
function permit(caller: Principal, right: Right, project: string | null): void {
  if (caller.kind === "person") refuseUnless(may(caller.rights, right, project), caller, right, project);
}

/** Whether what is in this project may be shown to the caller. */
export function mayRead(caller: Principal, project: string): boolean {
  return caller.kind !== "person" ? project === caller.project : may(caller.rights, "read", project);
}

/**
 * True for a person who may read the project, and for a service that asked it. For an agent: if the decision was asked by it, is about it, or was asked by the job or
 * crew that it works for.
 */
export function isTheirs(
  caller: Principal,
  { agent_id, owner, project, requested_by }: Pick<Gist, "agent_id" | "owner" | "project" | "requested_by">,
): boolean {
  if (caller.kind === "person") return may(caller.rights, "read", project);
  if (caller.kind === "service")
    return requested_by === caller.name && project === caller.project && agent_id === null;
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

/** Who answers, for the decision's rule: a person, never an agent. */
export function answererOf(caller: Principal): { who: string | null; member?: boolean } {
  if (caller.kind !== "person") return { who: null };
  return caller.rights === null ? { who: caller.who } : { who: caller.who, member: true };
}

/** The request that this caller may withdraw. */
export function requestFor(state: Readonly<State>, caller: Principal, text: string): Decision {
  const decision = decisionFor(state, caller, text);
  if (caller.kind === "person") {
    const isTheirs = decision.requested_by === caller.name && !hasLeftSince(state, caller.name, decision);
    permit(caller, isTheirs ? "ask" : "own", decision.project);
    return decision;
  }
  if (caller.kind === "agent" && decision.agent_id === caller.agent_id && decision.source === "request")
    return decision;
  throw new Refusal("decision.not-yours", `${decision.id} was not asked by you`, null);
}

/** Who is recorded as the requester. An agent can't choose a name: its token says who it is. */
export function requesterOf(caller: Principal, as: string | null): Requester {
  if (caller.kind === "person" && caller.rights !== null && as !== null)
    throw new Refusal("request.forbidden", `a token asks in its person's name, not as "${as}"`, null);
  if (caller.kind === "person")
    return {
      name: as ?? caller.name,
      is_agent: as !== null,
      agent_id: null,
      session: null,
      who: caller.who,
    };
  const isOwn = as === null || (caller.kind === "service" && as === caller.name);
  if (!isOwn) throw new Refusal("request.forbidden", `${spoken(caller)} may not ask as "${as}"`, null);
  if (caller.kind === "service")
    return { name: caller.name, is_agent: true, agent_id: null, session: null, who: caller.sponsor };
  return { name: caller.name, is_agent: true, agent_id: caller.agent_id, session: null };
}

/** No agent and no work is theirs. Routes say whether they are for services; this is in case one says so by mistake. */
function refuseServices(caller: Principal): asserts caller is Exclude<Principal, { kind: "service" }> {
  if (caller.kind === "service") refuseAgents(caller);
}

/** The agent that this caller means. An agent can only mean itself. */
export function itself(caller: Principal, text: string): string {
  if (caller.kind === "person") return text;
  refuseServices(caller);
  if (matchId([caller.agent_id], "agt", text).length > 0) return caller.agent_id;
  throw new Refusal("request.forbidden", `${text} is another agent`, null);
}

/** The job or crew that this caller means. An agent can only mean the one it works for. */
export function runFor(state: Readonly<State>, caller: Principal, text: string): Job | Crew {
  if (caller.kind === "person") return findRun(state, readableRun(state, caller, text));
  refuseServices(caller);
  const kind = caller.owner_id.startsWith("crew-") ? "crew" : "job";
  if (matchId([caller.owner_id], kind, text).length === 0)
    throw new Refusal("request.forbidden", `${text} is not the ${kind} you work for`, null);
  return findRun(state, caller.owner_id);
}

/** Who may not read everywhere learns nothing of other projects' jobs, not even that their ids begin alike. */
function readableRun(state: Readonly<State>, { rights }: Person, text: string): string {
  if (may(rights, "read", null)) return text;
  const jobs = matchId(state.jobs.keys(), "job", text).flatMap((id) => state.jobs.get(id) ?? []);
  const crews = matchId(state.crews.keys(), "crew", text).flatMap((id) => state.crews.get(id) ?? []);
  const own = [...jobs, ...crews].filter((it) => may(rights, "read", it.project));
  const [run] = own;
  if (run !== undefined && own.length === 1) return run.id;
  throw new Refusal("request.forbidden", `${text} is not one of your jobs`, null);
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
