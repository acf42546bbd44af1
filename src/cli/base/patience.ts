/** Patience with the daemon, on behalf of a command. */
import type { ApiClient } from "../../api/api.ts";
import { clientOf } from "../../client/client.ts";
import * as patience from "../../client/patience.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { Context } from "./command.ts";
import type { Deadline } from "./deadline.ts";
import { isOver } from "./deadline.ts";

/** Makes the call, and repeats it after each loss of the daemon, until the deadline or until it says so. */
export function patiently<T>(
  context: Context,
  until: Deadline | (() => boolean),
  call: () => Promise<T>,
): Promise<T> {
  const { abort, out } = context;
  return patience.patiently(
    {
      health: () => directClient(context, abort).health(),
      isOver: typeof until === "function" ? until : () => isOver(until),
      abort,
      isAfar: context.remote !== undefined,
      stopped: () =>
        out.say(
          context.remote
            ? "the server can't be reached; this continues when it can"
            : "the daemon was stopped; this continues when it is started again",
        ),
      full: (why) => out.say(`${fullWords(why)}; this continues when there is room`),
    },
    call,
  );
}

/** Why there is no room for an event stream, and what helps. */
export function fullWords({ message, hint }: Refusal): string {
  return hint === null ? message : `${message} (${hint})`;
}

/** What a stream counts as if it ended in good order although there is more to come. */
export function stopped(): Refusal {
  return new Refusal("daemon.stopping", "the daemon was stopped", "oj daemon start");
}

/** A client that never starts a daemon, whatever the daemon's version and wherever it is. */
export function directClient(
  { config, remote }: Pick<Context, "config" | "remote">,
  abort: AbortSignal,
  via: "cli" | "tui" = "cli",
): ApiClient {
  if (remote) return remote(abort, via);
  const { socket, user, agentToken, run } = config;
  const token = agentToken === undefined ? {} : { agentToken };
  return clientOf({ socket, user, via, anyVersion: true, abort, ...token, ...(run ? { run } : {}) });
}
