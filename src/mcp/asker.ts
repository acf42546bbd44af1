/** Who asks through MCP, and how its calls reach the daemon. Which door it came through is known only here. */
import type { ApiClient, DecisionView, RequestBody } from "../api/api.ts";
import type { Call, Reply } from "../client/calls.ts";
import { callsOf } from "../client/calls.ts";
import { connect } from "../client/connect.ts";
import type { Connection } from "../client/connection.ts";
import { patiently } from "../client/patience.ts";

/** Who it is, as the door found out. */
export interface Identity {
  project: string;
  /** The folder whose templates and rules count. */
  cwd: string;
  /** The name it asks under, given what its program calls itself; null where a token says who it is. */
  named(program: string): string | null;
  /** What tells of the session of its client, whose hooks may bring it what it did not wait for. Looked at for each request. */
  origin(): Pick<RequestBody, "session" | "processes" | "outlives_session">;
  /** The agent that it is, if `oj` runs it. */
  agent: string | null;
}

export interface Asker extends Identity {
  client(abort?: AbortSignal): ApiClient;
  /** Makes the call again after each loss of the daemon, until then. */
  patiently<T>(untilMs: number, abort: AbortSignal, call: () => Promise<T>): Promise<T>;
  /** Whether this decision may be looked at by its id. An agent's token needs no rule here: the daemon keeps to its own. */
  mayRead(decision: Pick<DecisionView, "source" | "project" | "requested_by">): boolean;
}

/** The user's own process, or an agent that `oj` runs: over the socket, as `oj` itself. */
export function askerAtSocket(identity: Identity, connection: Omit<Connection, "abort">): Asker {
  const client = (abort?: AbortSignal) => connect({ ...connection, abort });
  const direct = (abort: AbortSignal) => connect({ ...connection, abort, starts: false, anyVersion: true });
  return {
    ...identity,
    client,
    patiently: (untilMs, abort, call) =>
      patiently(
        { health: () => direct(abort).health(), isOver: () => performance.now() >= untilMs, abort },
        call,
      ),
    // what another session of the same user asked can be awaited here: its process may have been restarted
    mayRead: (it) => identity.agent !== null || (it.source === "request" && it.project === identity.project),
  };
}

/** A client on the network port: inside the daemon, with the routes and their rules that everybody else meets. */
export function askerInDaemon(
  identity: Identity,
  inside: { fetch(request: Request): Promise<Response>; headers: Record<string, string> },
): Asker {
  return {
    ...identity,
    client: (abort) =>
      callsOf({
        ...{ user: "", via: "api", anyVersion: true },
        ...(abort ? { abort } : {}),
        send: (call) => sendInside(inside, call),
      }),
    patiently: (_untilMs, _abort, call) => call(),
    mayRead: (it) =>
      identity.agent !== null || (it.requested_by === identity.named("") && it.project === identity.project),
  };
}

async function sendInside(
  { fetch, headers }: Parameters<typeof askerInDaemon>[1],
  call: Call,
): Promise<Reply> {
  const { method, path, body, abort } = call;
  const request = new Request(`http://oj${path}`, {
    method,
    headers: { ...call.headers, ...headers },
    ...(body === undefined ? {} : { body }),
    ...(abort ? { signal: abort } : {}),
  });
  const response = await fetch(request);
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: response.body ?? emptyBody(),
  };
}

async function* emptyBody(): AsyncGenerator<Uint8Array> {}
