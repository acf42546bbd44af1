/** Finds the daemon, starts it when it is absent, and replaces it when it is of another version. */
import type { Client } from "../api.ts";
import { Refusal } from "../core/errors.ts";
import { version } from "../version.ts";
import type { Target } from "./client.ts";
import { clientOf } from "./client.ts";
import { FORBIDDEN } from "./disconnect.ts";
import { untilGone } from "./process.ts";

export interface Connection {
  socket: string;
  stateDir: string;
  daemonFile: string;
  user: string;
  via: string;
  env: Readonly<Record<string, string>>;
  agentToken?: string | undefined;
  session?: string | undefined;
  run?: string | undefined;
  /** Talk to a daemon of another version as well, and leave it alone. */
  anyVersion?: boolean;
  /** False: a daemon that is absent stays so. */
  starts?: boolean;
  /** Talk to the person who waits: a daemon is started, an old one could not be replaced. */
  say: (text: string) => void;
  abort?: AbortSignal | undefined;
}

/** A client whose calls start the daemon when it isn't there. */
export function connect(connection: Connection): Client {
  const { socket, user, via, abort, agentToken, session, run, anyVersion } = connection;
  const target: Target = {
    socket,
    user,
    via,
    ...(abort ? { abort } : {}),
    ...(agentToken ? { agentToken } : {}),
    ...(session ? { session } : {}),
    ...(run ? { run } : {}),
    ...(anyVersion ? { anyVersion } : {}),
  };
  const client = clientOf(target);
  const again = <T>(call: (client: Client) => Promise<T>): Promise<T> =>
    call(client).catch(async (error) => call(await recover(connection, target, error)));
  return withRetry(client, again);
}

/** Every call once more after a daemon was started or replaced; streams begin with a call that does so. */
function withRetry(client: Client, again: <T>(call: (client: Client) => Promise<T>) => Promise<T>): Client {
  const wrapped: Record<string, unknown> = {};
  for (const name of Object.keys(client) as (keyof Client)[]) {
    if (
      name === "events" ||
      name === "jobLogs" ||
      name === "agentLogs" ||
      name === "agentScreen" ||
      name === "agentScreens"
    )
      continue;
    wrapped[name] = (...input: unknown[]) =>
      again((it) => (it[name] as (...all: unknown[]) => Promise<unknown>)(...input));
  }
  wrapped.events = async function* (query: Parameters<Client["events"]>[0]) {
    await again((it) => it.health());
    yield* client.events(query);
  };
  wrapped.jobLogs = async function* (id: string, query: Parameters<Client["jobLogs"]>[1]) {
    await again((it) => it.job(id));
    yield* client.jobLogs(id, query);
  };
  for (const name of ["agentLogs", "agentScreen", "agentScreens"] as const) {
    wrapped[name] = async function* (id: string, query: object) {
      await again((it) => it.agent(id));
      yield* client[name](id, query);
    };
  }
  return wrapped as unknown as Client;
}

async function recover(connection: Connection, target: Target, error: unknown): Promise<Client> {
  if (isAbsent(error) && connection.starts !== false) {
    await start(connection);
    return clientOf(target);
  }
  if (error instanceof Refusal && error.code === "daemon.version") return replace(connection, target);
  throw unreachable(error, target.socket);
}

/** Replaces a daemon of another version, unless that would interrupt work: then it serves for now. */
async function replace(connection: Connection, target: Target): Promise<Client> {
  const old = clientOf({ ...target, anyVersion: true });
  const status = await old.health();
  if (status.running_jobs > 0) {
    const count = status.running_jobs === 1 ? "a step" : `${status.running_jobs} steps`;
    connection.say(
      `oj ${version} talks to a daemon of version ${status.version}, which runs ${count}; replace it with: oj daemon restart`,
    );
    return old;
  }
  connection.say(`replacing the daemon of version ${status.version} by ${version}`);
  await stopDaemon(old, status.pid, false);
  await start(connection);
  return clientOf(target);
}

/** Loaded only here: `node:child_process` takes as long to load as a call to the daemon takes in all. */
async function start(connection: Connection): Promise<void> {
  const { spawnDaemon } = await import("./spawn-daemon.ts");
  await spawnDaemon(connection);
}

/** Asks the daemon to stop and returns when its process is gone. */
async function stopDaemon(client: Client, pid: number, kill: boolean): Promise<void> {
  await client.stop({ kill });
  if (await untilGone(pid, 30_000)) return;
  throw new Refusal(
    "daemon.failed",
    `the daemon (pid ${pid}) did not stop within 30 s`,
    "oj daemon stop --kill",
  );
}

/** Nobody listens there: no socket, one that a dead daemon left, or no place for one (the daemon's start says that best). */
export function isAbsent(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === "ENOENT" || code === "ECONNREFUSED" || code === "ENOTDIR";
}

function unreachable(error: unknown, socket: string): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (error instanceof Refusal || code === undefined) return error;
  if (code === "EACCES")
    return new Refusal(
      "daemon.unreachable",
      `${socket} may not be opened: it belongs to another user`,
      "set OJ_STATE_DIR to a folder of your own",
      { reason: FORBIDDEN },
    );
  return new Refusal(
    "daemon.unreachable",
    `the daemon can't be reached at ${socket}: ${(error as Error).message}`,
    "oj doctor",
  );
}
