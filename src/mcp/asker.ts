/**
 * Who is asking through MCP, and how the asker's calls reach the daemon. Only this file knows whether that is over
 * stdio or HTTP.
 */
import type { ApiClient, DecisionView, RequestBody } from "../api/api.ts";
import type { Call, Reply } from "../client/calls.ts";
import { callsOf } from "../client/calls.ts";
import { connect } from "../client/connect.ts";
import type { Connection } from "../client/connection.ts";
import { patiently } from "../client/patience.ts";

/** Who is asking, as far as stdio or HTTP could find out. */
export interface Identity {
  project: string;
  /** The folder whose templates and rules apply. */
  cwd: string;
  /** The name to ask under, given what the asker's program calls itself. Null if a token says who it is. */
  named(program: string): string | null;
  /**
   * What identifies the session of the asker's client, whose hooks may bring it answers it did not wait for. Read anew
   * for each request.
   */
  origin(): Pick<RequestBody, "session" | "processes" | "outlives_session">;
  /** The asker's id as an agent, if `oj` runs it. */
  agent: string | null;
}

export interface Asker extends Identity {
  client(abort?: AbortSignal): ApiClient;
  /** Repeats the call whenever the daemon is lost, until it is over. */
  patiently<T>(isOver: () => boolean, abort: AbortSignal, call: () => Promise<T>): Promise<T>;
  /**
   * Whether the asker may look at this decision by its id. An agent's token needs no rule here: the daemon applies its
   * own.
   */
  mayRead(decision: Pick<DecisionView, "source" | "project" | "requested_by">): boolean;
}

/** For the user's own process, or an agent that `oj` runs: over the socket, like `oj` itself. */
export function askerAtSocket(identity: Identity, connection: Omit<Connection, "abort">): Asker {
  const client = (abort?: AbortSignal) => connect({ ...connection, abort });
  const direct = (abort: AbortSignal) => connect({ ...connection, abort, starts: false, anyVersion: true });
  return {
    ...identity,
    client,
    patiently: (isOver, abort, call) =>
      patiently({ health: () => direct(abort).health(), isOver, abort }, call),
    // what another session of the same user asked can be awaited here, because its process may have restarted
    mayRead: (it) => identity.agent !== null || (it.source === "request" && it.project === identity.project),
  };
}

/** For a client on the network port: inside the daemon, through the same routes and rules as everybody else. */
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
    patiently: (_isOver, _abort, call) => call(),
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
