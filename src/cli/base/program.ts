/** One run of `oj`: signals, the connection, and what is said at the end. Which command runs is the caller's business. */

import type { Config } from "../../config.ts";
import { Refusal } from "../../core/model/errors.ts";
import type { Context, Output } from "./command.ts";
import { EXIT, exitCodeOf, isBug, refusalBody, refusalText, toRefusal } from "./fail.ts";
import type { MakeContext } from "./invoke.ts";
import { hasLostTerminal, output, ReaderGone, talkStyle, talkWidth, write } from "./output.ts";
import { wantsJson } from "./parse.ts";

/** How `oj` was called. */
export interface Start {
  argv: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  daemonFile: string;
}

/** A command that has something to tidy up after Ctrl-C gets this long. */
const GRACE_MS = 1000;

/** Runs, and ends the process with the exit code. */
export async function program(
  start: Start,
  run: (out: Output, makeContext: MakeContext) => Promise<number>,
): Promise<never> {
  const noColor = (start.env.NO_COLOR ?? "") !== "";
  const out = output(noColor);
  const interrupt = new AbortController();
  let hungUp = false;
  /** If the terminal is gone, Node would try to reset it at exit, fail, and abort; a signal ends it properly. */
  const end = (code: number): never => {
    if (hungUp || hasLostTerminal()) {
      process.removeAllListeners("SIGHUP");
      process.kill(process.pid, "SIGHUP");
    }
    process.exit(code);
  };
  const onSignal = (name: string) => {
    hungUp ||= name === "SIGHUP";
    if (interrupt.signal.aborted) end(EXIT.interrupted);
    interrupt.abort();
    setTimeout(() => end(EXIT.interrupted), GRACE_MS).unref();
  };
  process.on("SIGINT", onSignal).on("SIGTERM", onSignal).on("SIGHUP", onSignal);
  // thrown by a timer or an event, where nobody awaits it: a terminal may be gone before its signal comes
  process.on("uncaughtException", (error) => end(report(error, start, noColor, interrupt.signal.aborted)));
  try {
    return end(await run(out, (given) => makeContext(start, out, interrupt.signal, given)));
  } catch (error) {
    return end(report(error, start, noColor, interrupt.signal.aborted));
  }
}

async function makeContext(
  { env, daemonFile }: Start,
  out: Output,
  abort: AbortSignal,
  { json, project, server, lenient }: Parameters<MakeContext>[0],
): ReturnType<MakeContext> {
  const { readConfig } = await import("./read-config.ts");
  const { connect } = await import("../../client/connect.ts");
  const config = readConfig(env, project, lenient);
  const { socket, stateDir, user } = config;
  let as_of_ms: number | null = null;
  const dated = (ms: number) => {
    as_of_ms = ms;
  };
  const remote = server === null ? null : await remoteOf(config, server, dated);
  const client =
    remote?.(abort, "cli") ??
    connect({
      socket,
      stateDir,
      user,
      env: config.env,
      daemonFile,
      via: "cli",
      say: out.say,
      abort,
      agentToken: config.agentToken,
      session: config.session,
      run: config.run,
      dated,
    });
  const asOf = () => as_of_ms;
  return { client, config, json, out, abort, now: Date.now, asOf, ...(remote ? { remote } : {}) };
}

/**
 * Makes clients of another machine's daemon; null: commands go to this one's. The context in use is a person's: what our
 * agents and steps ask belongs to the daemon that runs them, wherever that person's commands go meanwhile.
 */
async function remoteOf(
  config: Readonly<Config>,
  server: string | undefined,
  dated: (as_of_ms: number) => void,
): Promise<Context["remote"] | null> {
  const isOurs = config.agentToken !== undefined || config.run !== undefined;
  if (server === undefined && isOurs) return null;
  const { serverOf } = await import("../servers/contexts.ts");
  const there = serverOf(config, server);
  if (there === null) return null;
  if (config.agentToken)
    throw new Refusal(
      "request.forbidden",
      "an agent asks the daemon that runs it, not another one",
      "leave --server out",
    );
  if (there.token === null)
    throw new Refusal(
      "login.required",
      `you are not logged in to ${there.url}`,
      `oj login ${there.url} --with-token`,
    );
  const { remoteClient } = await import("../../client/remote.ts");
  const { url, token } = there;
  if (!/^[!-~]+$/.test(token))
    throw new Refusal(
      "usage",
      `the token for ${there.url} has characters that no token has`,
      "oj token create",
    );
  return (abort, via) => remoteClient({ url, token, via, abort, dated });
}

function report(error: unknown, { argv, env }: Start, noColor: boolean, isInterrupted: boolean): number {
  if (error instanceof ReaderGone) return EXIT.done;
  if (isInterrupted) return EXIT.interrupted;
  const refusal = toRefusal(error);
  try {
    if (isBug(error) && env.OJ_DEBUG) write(2, `${error instanceof Error ? error.stack : String(error)}\n`);
    if (wantsJson(argv)) output(noColor).json(refusalBody(refusal));
    else write(2, `${refusalText(refusal, talkStyle(noColor), talkWidth())}\n`);
  } catch (gone) {
    if (!(gone instanceof ReaderGone)) throw gone;
  }
  return exitCodeOf(refusal.code);
}
