/**
 * The typed calls, one line each. The caller decides how bytes travel: over a socket, with `fetch` in a browser, or not
 * at all.
 */

import type { ApiClient, BriefList, DecisionQuery, ErrorBody, EventQuery } from "../api/api.ts";
import { HEADERS } from "../api/api.ts";
import type { VouchingDoor } from "../core/model/decision-types.ts";
import { Refusal } from "../core/model/errors.ts";
import type { Event } from "../core/model/events.ts";
import { version } from "../version.ts";

export interface Call {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | undefined;
  abort?: AbortSignal | undefined;
}

export interface Reply {
  status: number;
  headers: Record<string, string>;
  /** The body as it arrives. */
  body: AsyncIterable<Uint8Array>;
}

export interface Caller {
  user: string;
  via: string;
  /** We are an agent. The daemon is told so, and lets us ask but not answer. */
  agentToken?: string;
  /** We run in a tool call of a session that oj did not start. It may ask, but not answer what it asked itself. */
  session?: string;
  /** We run in a step of a job. */
  run?: string;
  /** The token of a person, for a daemon on another machine. */
  bearer?: string;
  /** Whom the door that we are vouches for. */
  vouched?: { person: string; door: VouchingDoor; address: string };
  /** Talk to a daemon of another version too. */
  anyVersion?: boolean;
  abort?: AbortSignal;
  /** Called with the daemon's version on every reply. */
  met?(daemon: string): void;
  /** Called when the daemon can't reach its store: what it shows is as of then. */
  dated?(as_of_ms: number): void;
  /** Returns when the head of the response has arrived. */
  send(call: Call): Promise<Reply>;
}

type Query = Record<string, string | number | boolean | readonly string[] | undefined>;

export function callsOf(target: Caller): ApiClient {
  const get = async <T>(path: string, query: Query = {}) =>
    (await call(target, "GET", path + search(query))) as T;
  const post = async <T>(path: string, body: unknown = {}) => (await call(target, "POST", path, body)) as T;
  const at = (kind: string, id: string, verb = "") =>
    `/${kind}/${encodeURIComponent(id)}${verb && `/${verb}`}`;
  return {
    health: () => get("/health"),
    stop: async ({ pid, ...input }) => void (await post(`/daemon/stop${search({ pid })}`, input)),
    status: (query = {}) => get("/status", query),
    fleet: (query = {}) => get("/fleet", query),
    decisions: (query = {}) => get("/decisions", { ...query }),
    briefs: (query = {}) => briefs(target, query),
    historyNames: () => get("/history/names"),
    decision: (id) => get(at("decisions", id)),
    seeDecision: async (id) => void (await post(at("decisions", id, "seen"))),
    resolveDecision: (id, answer) => post(at("decisions", id, "resolve"), answer),
    undoAnswer: (id) => post(at("decisions", id, "undo")),
    resolveDecisions: (ids, answer) => post("/decisions/resolve", { ids, ...answer }),
    requestDecision: (body) => post("/decisions", body),
    awaitDecision: (id, input) => post(at("decisions", id, "await"), input),
    claimDecision: (id, input) => post(at("decisions", id, "claim"), input),
    releaseDecision: (id) => post(at("decisions", id, "release")),
    snoozeDecision: (id, input) => post(at("decisions", id, "snooze"), input),
    cancelDecision: (id, input) => post(at("decisions", id, "cancel"), input),
    inject: (body) => post("/inject", body),
    drain: (body) => post("/inject/drain", body),
    queues: (query = {}) => get("/inject", query),
    sessionHook: (hook, query) => post(`/hooks/session${search({ ...query })}`, hook),
    decisionChain: (id) => get(at("decisions", id, "chain")),
    dashboard: (query) => get("/dashboard", query),
    who: () => get("/who"),
    me: () => get("/me"),
    people: () => get("/people"),
    invitePerson: (name, doors) => post("/people", { name, ...(doors && { doors }) }),
    removePerson: (name) => post("/people/remove", { name }),
    grantRole: (body) => post("/roles/grant", body),
    revokeRole: (body) => post("/roles/revoke", body),
    personTokens: () => get("/tokens"),
    makePersonToken: (body) => post("/tokens", body),
    rotatePersonToken: (body) => post("/tokens/rotate", body),
    revokePersonTokens: (body) => post("/tokens/revoke", body),
    askDevice: (body) => post("/device/codes", body),
    pollDevice: (token) => post("/device/polls", { token }),
    device: (code) => post("/device/look", { code }),
    approveDevice: (code, person) => post("/device/approve", { code, person }),
    passkeys: () => get("/passkeys"),
    passkeyLink: (person) => post("/passkeys/links", { person }),
    beginPasskey: (code) => post("/passkeys/begin", { code }),
    addPasskey: async (body) => void (await post("/passkeys", body)),
    removePasskey: async (id) => void (await post("/passkeys/remove", { id })),
    answerChallenge: (id, answer) => post(at("decisions", id, "challenge"), answer),
    denyDevice: async (code) => void (await post("/device/deny", { code })),
    auditDecision: (id) => post(at("decisions", id, "audit"), {}),
    eraseDecision: (id, body) => post(at("decisions", id, "erase"), body),
    noteAuditExport: async () => void (await post("/audit/exports", {})),
    machines: () => get("/machines"),
    forgetMachine: (name) => post(at("machines", name, "forget"), {}),
    channels: () => get("/channels"),
    beads: () => get("/beads"),
    syncBeads: (body) => post("/beads/sync", body),
    testChannel: (name, body) => post(at("channels", name, "test"), body),
    explainRoute: (id) => get(at("decisions", id, "route")),
    policies: (query) => get("/policies", query),
    acceptPolicies: (body) => post("/policies/accept", body),
    switchPolicy: (body) => post("/policies/switch", body),
    policyLog: (query) => get("/policies/log", query),
    suggestions: (query) => get("/suggestions", query),
    acceptSuggestion: (key, body) => post(at("suggestions", key, "accept"), body),
    declineSuggestion: (key) => post(at("suggestions", key, "decline"), {}),
    suggestPolicies: (query) => get("/policies/suggestions", query),
    tryPolicies: (body) => post("/policies/try", body),
    ruleFor: (id) => get(at("decisions", id, "rule")),
    rememberDecision: (id, body) => post(at("decisions", id, "remember"), body),
    explainPolicies: (id, query = {}) => get(at("decisions", id, "policies"), query),
    stats: (query = {}) => get("/stats", { ...query } as Query),
    ownDecisions: (query) => get("/decisions/own", { ...query }),
    autoClose: (body) => post("/decisions/auto-close", body),
    templates: (query) => get("/templates", query),
    commands: (query) => get("/commands", query),
    checkRunbooks: (input) => post("/runbooks/check", input),
    run: (body) => post("/run", body),
    jobs: (query = {}) => get("/jobs", { ...query }),
    crews: (query = {}) => get("/crews", { ...query }),
    job: (id) => get(at("jobs", id)),
    cancelJob: (id, input) => post(at("jobs", id, "cancel"), input),
    suspendJob: (id) => post(at("jobs", id, "suspend")),
    resumeJob: (id, input) => post(at("jobs", id, "resume"), input),
    deleteJob: async (id) => void (await call(target, "DELETE", at("jobs", id))),
    waitJobs: (input) => post("/jobs/wait", input),
    failedRuns: (query = {}) => get("/failed", query),
    seeFailure: (id, input) => post(at("jobs", id, "seen"), input),
    agents: (query = {}) => get("/agents", query),
    agent: (id) => get(at("agents", id)),
    sendToAgent: (id, input) => post(at("agents", id, "send"), input),
    signal: (id, input) => post(at("agents", id, "signal"), input),
    killAgent: (id) => post(at("agents", id, "kill")),
    attachAgent: (id) => get(at("agents", id, "attach")),
    receiveMail: (body) => post("/mail", body),
    mcpTokens: () => get("/mcp/tokens"),
    makeMcpToken: (input) => post("/mcp/tokens", input),
    revokeMcpToken: async (name) => void (await call(target, "DELETE", at("mcp/tokens", name))),
    decisionEvents: (id, query = {}) => get(at("decisions", id, "events"), query),
    jobEvents: (id, query = {}) => get(at("jobs", id, "events"), query),
    makeWebLink: (input) => post("/web/links", input),
    webLogins: () => get("/web/logins"),
    endWebLogins: async (id) =>
      (await call(target, "DELETE", id === null ? "/web/logins" : at("web/logins", id))) as { ended: number },
    pushStatus: () => get("/push/subscriptions"),
    addPushSubscription: (body) => post("/push/subscriptions", body),
    removePushSubscription: async (id) => void (await call(target, "DELETE", at("push/subscriptions", id))),
    agentScreen: (id, query) => lines(target, at("agents", id, "screen") + search({ ...query })),
    agentScreens: (id, query) => screens(target, at("agents", id, "screens") + search({ ...query })),
    agentLogs: (id, query) => lines(target, at("agents", id, "logs") + search({ ...query })),
    jobLogs: (id, query) => lines(target, at("jobs", id, "logs") + search({ ...query })),
    events: (query, opened) => events(target, query, opened),
  };
}

async function call(target: Caller, method: string, path: string, body?: unknown): Promise<unknown> {
  const response = await request(target, method, path, body);
  const answer = await text(response.body);
  return answer === "" ? null : JSON.parse(answer);
}

async function briefs(target: Caller, query: DecisionQuery): Promise<BriefList> {
  const response = await request(target, "GET", `/decisions${search({ ...query, brief: true })}`);
  return { seq: Number(response.headers[HEADERS.seq]), decisions: JSON.parse(await text(response.body)) };
}

async function request(target: Caller, method: string, path: string, body?: unknown): Promise<Reply> {
  const response = await target.send({
    method,
    path,
    headers: {
      [HEADERS.version]: version,
      [HEADERS.user]: encodeURIComponent(target.user),
      [HEADERS.via]: target.via,
      ...(target.agentToken ? { [HEADERS.agent]: target.agentToken } : {}),
      ...(target.bearer ? { authorization: `Bearer ${target.bearer}` } : {}),
      ...(target.vouched ? vouching(target.vouched) : {}),
      ...(target.run ? { [HEADERS.run]: target.run } : {}),
      ...(target.session ? { [HEADERS.session]: encodeURIComponent(target.session) } : {}),
      ...(target.anyVersion ? { [HEADERS.anyVersion]: "1" } : {}),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
    abort: target.abort,
  });
  const daemon = response.headers[HEADERS.version];
  if (daemon !== undefined) target.met?.(daemon);
  const asOf = response.headers[HEADERS.asOf];
  if (asOf !== undefined) target.dated?.(Number(asOf));
  if (response.status >= 400) throw refusalOf(await text(response.body), response.status);
  return response;
}

function vouching({ person, door, address }: NonNullable<Caller["vouched"]>): Record<string, string> {
  return { [HEADERS.person]: encodeURIComponent(person), [HEADERS.door]: door, [HEADERS.address]: address };
}

/** What a proxy says, in its own words, while there is nothing behind it. */
const AWAY = [502, 503, 504];

function refusalOf(body: string, status: number): Error {
  try {
    const { error } = JSON.parse(body) as ErrorBody;
    return new Refusal(error.code, error.message, error.hint, error.details ?? null);
  } catch {
    if (AWAY.includes(status))
      return new Refusal("server.unreachable", `the server answered ${status}`, null);
    return new Refusal(
      "daemon.failed",
      `the daemon answered ${status}: ${body.slice(0, 200)}`,
      "oj daemon logs",
    );
  }
}

/** Decodes the whole body at once: decoding it part by part is several times slower. */
async function text(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return new TextDecoder().decode(whole);
}

async function* lines(target: Caller, path: string, opened?: () => void): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const response = await request(target, "GET", path);
  opened?.();
  for await (const part of response.body) yield decoder.decode(part, { stream: true });
}

async function* events(target: Caller, query: EventQuery, opened?: () => void): AsyncGenerator<Event> {
  for await (const data of sent(target, `/events${search({ ...query })}`, opened)) yield data as Event;
}

async function* screens(target: Caller, path: string): AsyncGenerator<string> {
  for await (const data of sent(target, path)) {
    const { screen } = data as { screen?: string };
    if (screen !== undefined) yield screen;
  }
}

/** Server-sent events, one JSON object each. Comment lines only keep the connection alive. */
async function* sent(target: Caller, path: string, opened?: () => void): AsyncGenerator<unknown> {
  let rest = "";
  for await (const part of lines(target, path, opened)) {
    const blocks = (rest + part).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const lines = block.split("\n");
      const data = lines.flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : [])).join("\n");
      if (lines.includes("event: refused")) throw refusalOf(data, 401); // its last word: we may not go on
      if (data !== "") yield JSON.parse(data);
    }
  }
}

/**
 * In how many milliseconds to try again, if there was no room for an event stream: too many are open, or too many of
 * the caller's own. Null: it was something else.
 */
export function fullFor(error: unknown): number | null {
  if (!(error instanceof Refusal) || error.code !== "request.too-many") return null;
  const { kind, retry_s } = error.details ?? {};
  if (kind !== "events" || typeof retry_s !== "number") return null;
  return Math.min(Math.max(retry_s, 1), 60) * 1000;
}

function search(query: Query): string {
  const pairs = Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    const text = Array.isArray(value) ? value.join(",") : String(value);
    return [`${name}=${encodeURIComponent(text)}`];
  });
  return pairs.length > 0 ? `?${pairs.join("&")}` : "";
}
