/** `oddjobs/client`: lets any program ask people and learn what they decide. Its types are in `types.ts`. */
import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { ApiClient, DecisionView, RequestBody } from "../api/api.ts";
import { callerAbove } from "../client/ancestry.ts";
import { connect as connectClient } from "../client/connect.ts";
import { isDisconnect } from "../client/disconnect.ts";
import { askingSince, patiently } from "../client/patience.ts";
import { loadConfig } from "../config.ts";
import { Refusal } from "../core/model/errors.ts";
import { parseDuration } from "../core/text/duration.ts";
import { ConfigError } from "../settings.ts";
import { followEvents } from "./events.ts";
import type { Outcome } from "./outcome.ts";
import { outcomeOf } from "./outcome.ts";
import type { AnswerInput, Ask, ConnectInput, Decide, Oddjobs, Wait } from "./types.ts";

export type {
  DecisionQuery,
  DecisionView as Decision,
  EventQuery,
  OptionView as Option,
  ResolveResult,
  TemplateView as Template,
} from "../api/api.ts";
export type { RefusalCode } from "../core/model/errors.ts";
export { Refusal } from "../core/model/errors.ts";
export type { Event } from "../core/model/events.ts";
export type { Answered, Ended, Outcome, Pending, TimedOut } from "./outcome.ts";
export type { AnswerInput, Ask, ConnectInput, Decide, Oddjobs, Wait, Watch } from "./types.ts";

/** Longer timers overflow in Node and fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Prepares to talk to this user's daemon. Nothing is sent yet, but a config file that can't be read is refused here.
 *
 * ```ts
 * import { connect } from "oddjobs/client";
 * const oj = connect({ as: "release-bot" });
 * ```
 */
export function connect(input: ConnectInput = {}): Oddjobs {
  const config = configOf(input);
  const { socket, stateDir, user, env, session } = config;
  const above = callerAbove(stateDir);
  const agentToken = config.agentToken ?? above.token ?? undefined;
  const run = above.run ?? config.run;
  const daemonFile = fileURLToPath(new URL("./daemon.cjs", import.meta.url));

  function clientFor(abort?: AbortSignal, starts = input.start !== false): ApiClient {
    return connectClient({
      ...{ socket, stateDir, user, env, session, agentToken, run, daemonFile, abort, starts },
      via: "api",
      anyVersion: true,
      say: () => {},
    });
  }
  const client = clientFor();
  /** Never starts a daemon. It is used to see whether one is running. */
  const direct = (abort?: AbortSignal) => clientFor(abort, false);

  async function request({ request_key = randomUUID(), ...question }: Ask): Promise<DecisionView> {
    const { project, cwd, session = null } = config;
    const given = { project, cwd, session, as: input.as ?? null, options: optionsOf(question) };
    if (input.start === false) await client.health(); // if there is no daemon, say so at once
    const patience = { health: () => direct().health(), isOver: askingSince(performance.now()) };
    return patiently(patience, () => client.requestDecision({ ...question, ...given, request_key }));
  }

  async function settled(id: string, { timeout, signal }: Wait): Promise<Outcome> {
    const timeoutMs = millisecondsOf(timeout);
    const endsAt = timeoutMs === null ? Number.POSITIVE_INFINITY : performance.now() + timeoutMs;
    const left = () => Math.min(Math.max(0, Math.ceil(endsAt - performance.now())), LONGEST_TIMER_MS);
    const isOver = () => performance.now() >= endsAt;
    const waiting = clientFor(signal);
    const patience = { health: () => direct(signal).health(), isOver, abort: signal };
    for (;;) {
      try {
        const decision = await patiently(patience, () => waiting.awaitDecision(id, { timeout_ms: left() }));
        const outcome = outcomeOf(decision);
        if (outcome.kind !== "pending") return outcome;
      } catch (error) {
        signal?.throwIfAborted();
        const isLate = error instanceof Refusal && error.code === "timeout";
        if (isOver() && (isLate || isDisconnect(error))) return { kind: "timeout", id };
        if (!isLate) throw refusalOf(error); // one call waits for days at most, so wait again
      }
    }
  }

  async function decide({ timeout, signal, onAbort = "cancel", ...question }: Decide): Promise<Outcome> {
    signal?.throwIfAborted();
    const { id } = await request(question); // no signal here: after an abort nobody could tell whether it was asked
    try {
      return await settled(id, { timeout, signal });
    } catch (error) {
      if (signal?.aborted && onAbort === "cancel")
        await cancel(id, { reason: "nobody is waiting for it any more" }).catch(() => {});
      throw error;
    }
  }

  /** In the name that it was asked in: others who ask the same under that name still wait for it. */
  const cancel: Oddjobs["cancel"] = (id, { reason = null } = {}) =>
    client.cancelDecision(id, { reason, as: input.as ?? null });

  const oddjobs: Oddjobs = {
    decide,
    request,
    await: (id, wait = {}) => settled(id, wait),
    check: async (id) => outcomeOf(await client.decision(id)),
    list: (query = {}) => client.decisions(query),
    resolve: (id, answer) => client.resolveDecision(id, bodyOf(answer)),
    cancel,
    templates: () => client.templates({ cwd: config.cwd }),
    async signal(signal, { message = null } = {}) {
      if (config.agent === undefined)
        throw new Refusal("usage", "this is not an agent's terminal", "OJ_AGENT names the agent");
      await client.signal(config.agent, { signal, message });
    },
    events: ({ signal, ...query } = {}) => followEvents({ query, signal, clientFor, direct }),
  };
  return withRefusals(oddjobs);
}

/** Reports a lost connection as a refusal, like every other error. */
function withRefusals({ events, ...calls }: Oddjobs): Oddjobs {
  const wrapped = Object.entries(calls).map(([name, call]) => {
    const run = async (...input: unknown[]) => {
      try {
        return await (call as (...all: unknown[]) => Promise<unknown>)(...input);
      } catch (error) {
        throw refusalOf(error);
      }
    };
    return [name, run];
  });
  return { ...(Object.fromEntries(wrapped) as unknown as typeof calls), events };
}

function refusalOf(error: unknown): unknown {
  if (error instanceof Refusal || !isDisconnect(error)) return error;
  const message = `the connection to the daemon was lost: ${(error as Error).message}`;
  return new Refusal("daemon.unreachable", message, "oj daemon status");
}

function configOf({ env = process.env, cwd = process.cwd(), project }: ConnectInput) {
  try {
    return loadConfig(env, cwd, { project });
  } catch (error) {
    throw error instanceof ConfigError ? new Refusal("config.invalid", error.message, "oj doctor") : error;
  }
}

function optionsOf({ options = [] }: Ask): RequestBody["options"] {
  return options.map((it) => (typeof it === "string" ? { label: it } : it));
}

function bodyOf({ choice, ...answer }: AnswerInput): Omit<AnswerInput, "choice"> {
  return choice === undefined ? answer : { ...answer, choices: [[choice]] };
}

function millisecondsOf(timeout: Wait["timeout"]): number | null {
  if (timeout === undefined) return null;
  const ms = typeof timeout === "number" ? timeout : parseDuration(timeout);
  if (ms !== null && ms >= 0) return ms;
  throw new Refusal("usage", `"${timeout}" is not a duration`, 'milliseconds, or "30s", "5m", "1h30m"');
}
