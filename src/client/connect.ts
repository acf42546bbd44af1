/** Finds the daemon, starts it when it is absent, and replaces it when it is older than we are. */

import type { ApiClient } from "../api/api.ts";
import { Refusal } from "../core/model/errors.ts";
import { meeting } from "../core/text/semver.ts";
import { version } from "../version.ts";
import type { Target } from "./client.ts";
import { clientOf } from "./client.ts";
import type { Connection } from "./connection.ts";
import { FORBIDDEN, isAbsent, isDisconnect } from "./disconnect.ts";

/** A client whose calls start the daemon when it isn't there. */
export function connect(connection: Connection): ApiClient {
  const { socket, user, via, abort, agentToken, session, run, anyVersion, dated } = connection;
  const target: Target = {
    socket,
    user,
    via,
    ...(abort ? { abort } : {}),
    ...(agentToken ? { agentToken } : {}),
    ...(session ? { session } : {}),
    ...(run ? { run } : {}),
    ...(dated ? { dated } : {}),
    ...(anyVersion ? { anyVersion } : { met: (daemon) => tellIfOlder(connection, daemon) }),
  };
  /** The client for all further calls: an old daemon that can't be replaced now serves us until we end. */
  let current = clientOf(target);
  async function again<T>(call: (client: ApiClient) => Promise<T>, isRead = false): Promise<T> {
    for (let left = RECOVERIES; ; left--) {
      try {
        return await call(current);
      } catch (error) {
        if (left === 0) throw error;
        // A daemon that stopped in the middle of a call is being replaced or restarted, and reading again does no harm.
        if (isRead && isDisconnect(error) && !isAbsent(error)) await sleep(LOOK_AGAIN_MS);
        else current = await recover(connection, target, error);
      }
    }
  }
  return withRetry(current, () => current, again);
}

/** Another process may start or replace a daemon at the same moment. Then we have to recover once more. */
const RECOVERIES = 10;
const LOOK_AGAIN_MS = 200;

/** Short calls that change nothing. */
const READS: ReadonlySet<keyof ApiClient> = new Set<keyof ApiClient>([
  ...([
    "health",
    "status",
    "decisions",
    "briefs",
    "decision",
    "queues",
    "decisionChain",
    "dashboard",
  ] as const),
  ...(["ownDecisions", "templates", "commands", "jobs", "job", "agents", "agent"] as const),
  ...(["mcpTokens", "decisionEvents", "jobEvents", "webLogins", "pushStatus"] as const),
]);

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const told = new Set<string>();

/** Says each text only once, however long we wait and however often we call. */
function sayOnce({ say }: Connection, text: string): void {
  if (told.has(text)) return;
  told.add(text);
  say(text);
}

function tellIfOlder(connection: Connection, daemon: string): void {
  if (meeting(version, daemon) === "older")
    sayOnce(
      connection,
      `oj ${version} is older than the running daemon (${daemon}) and works with it; to update: npm install -g oddjobs@latest`,
    );
}

/** Repeats a call after a daemon was started or replaced. Streams begin with a call that is repeated like this. */
function withRetry(
  client: ApiClient,
  current: () => ApiClient,
  again: <T>(call: (client: ApiClient) => Promise<T>, isRead?: boolean) => Promise<T>,
): ApiClient {
  const wrapped: Record<string, unknown> = {};
  for (const name of Object.keys(client) as (keyof ApiClient)[]) {
    if (
      name === "events" ||
      name === "jobLogs" ||
      name === "agentLogs" ||
      name === "agentScreen" ||
      name === "agentScreens"
    )
      continue;
    wrapped[name] = (...input: unknown[]) =>
      again((it) => (it[name] as (...all: unknown[]) => Promise<unknown>)(...input), READS.has(name));
  }
  wrapped.events = async function* (...input: Parameters<ApiClient["events"]>) {
    await again((it) => it.health(), true);
    yield* current().events(...input);
  };
  wrapped.jobLogs = async function* (id: string, query: Parameters<ApiClient["jobLogs"]>[1]) {
    await again((it) => it.job(id), true);
    yield* current().jobLogs(id, query);
  };
  for (const name of ["agentLogs", "agentScreen", "agentScreens"] as const) {
    wrapped[name] = async function* (id: string, query: object) {
      await again((it) => it.agent(id), true);
      yield* current()[name](id, query);
    };
  }
  return wrapped as unknown as ApiClient;
}

async function recover(connection: Connection, target: Target, error: unknown): Promise<ApiClient> {
  if (isAbsent(error) && connection.starts !== false) {
    await start(connection);
    return clientOf(target);
  }
  if (error instanceof Refusal && error.code === "daemon.version" && isNewer(error))
    return (await import("./replace-daemon.ts")).replaceDaemon(connection, target, (text) =>
      sayOnce(connection, text),
    );
  throw unreachable(error, target.socket);
}

/** Only a newer oj replaces a daemon. Otherwise two that wait at the same time would replace it in turn. */
function isNewer({ details }: Refusal): boolean {
  return meeting(version, String(details?.version)) === "newer";
}

/** Loads this module only here: `node:child_process` alone takes as long to load as a whole call to the daemon. */
async function start(connection: Connection): Promise<void> {
  const { spawnDaemon } = await import("./spawn-daemon.ts");
  await spawnDaemon(connection);
}

function unreachable(error: unknown, socket: string): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (error instanceof Refusal || code === undefined) return error;
  if (code === "EACCES")
    return new Refusal(
      "daemon.unreachable",
      `${socket} can't be opened: it belongs to another user`,
      "set OJ_STATE_DIR to a folder of your own",
      { reason: FORBIDDEN },
    );
  return new Refusal(
    "daemon.unreachable",
    `the daemon can't be reached at ${socket}: ${(error as Error).message}`,
    "oj doctor",
  );
}
