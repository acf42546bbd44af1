/** The binary: signals, exit codes, and as little else as possible, because every millisecond here is paid by every call. */
import { fileURLToPath } from "node:url";
import type { Context } from "./cli/command.ts";
import { dispatch } from "./cli/dispatch.ts";
import { EXIT, exitCodeOf, isBug, refusalBody, refusalText, toRefusal } from "./cli/fail.ts";
import { output, ReaderGone, talkStyle, write } from "./cli/output.ts";
import { wantsJson } from "./cli/parse.ts";
import type { Config } from "./config.ts";
import { Refusal } from "./core/errors.ts";

const GRACE_MS = 1000;

async function main(argv: string[]): Promise<number> {
  const noColor = (process.env.NO_COLOR ?? "") !== "";
  const out = output(noColor);
  const interrupt = new AbortController();
  const onInterrupt = () => {
    if (interrupt.signal.aborted) process.exit(EXIT.interrupted);
    interrupt.abort();
    // A command that has something to tidy up gets a moment; the others end at once by their broken connection.
    setTimeout(() => process.exit(EXIT.interrupted), GRACE_MS).unref();
  };
  process.on("SIGINT", onInterrupt).on("SIGTERM", onInterrupt).on("SIGHUP", onInterrupt);

  try {
    return await dispatch(argv, out, async ({ json, project }) => {
      const config = await readConfig(project);
      const { connect } = await import("./client/connect.ts");
      const client = connect({
        ...config,
        daemonFile: fileURLToPath(new URL("daemon.cjs", import.meta.url)),
        via: "cli",
        say: out.say,
        abort: interrupt.signal,
      });
      return { client, config, json, out, abort: interrupt.signal, now: Date.now } satisfies Context;
    });
  } catch (error) {
    if (error instanceof ReaderGone) return EXIT.done;
    if (interrupt.signal.aborted) return EXIT.interrupted;
    return report(error, wantsJson(argv), noColor);
  }
}

async function readConfig(project: string | undefined): Promise<Readonly<Config>> {
  const { ConfigError, loadConfig } = await import("./config.ts");
  try {
    return loadConfig(process.env, process.cwd(), { project });
  } catch (error) {
    if (error instanceof ConfigError) throw new Refusal("config.invalid", error.message);
    const isCwdGone = (error as NodeJS.ErrnoException).syscall === "uv_cwd";
    throw isCwdGone
      ? new Refusal("usage", "the folder you are in does not exist any more", "cd to one that does")
      : error;
  }
}

function report(error: unknown, json: boolean, noColor: boolean): number {
  const refusal = toRefusal(error);
  if (isBug(error) && process.env.OJ_DEBUG)
    write(2, `${error instanceof Error ? error.stack : String(error)}\n`);
  if (json) output(noColor).json(refusalBody(refusal));
  else write(2, `${refusalText(refusal, talkStyle(noColor))}\n`);
  return exitCodeOf(refusal.code);
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error) => process.exit(error instanceof ReaderGone ? EXIT.done : EXIT.unreachable),
);
