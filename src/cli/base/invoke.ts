/** Runs a command: reads its flags and arguments, and gives it what it works with. */
import { localTime } from "../../inbox/card/times.ts";
import { version } from "../../version.ts";
import type { Command, Context, Given, Output } from "./command.ts";
import { usage } from "./fail.ts";
import type { Parsed } from "./parse.ts";
import { checkArgs, readFlags } from "./parse.ts";

/** What a command may need that takes time to create: created only when a command is really called. */
export type MakeContext = (given: {
  json: boolean;
  project: string | undefined;
  /** `--server`. Null: the command is about this machine, whatever context is in use. */
  server: string | null | undefined;
  /** A config file that can't be read does not stand in the way. */
  lenient: boolean;
}) => Promise<Context>;

/** Returns the exit code. */
export async function invoke(
  command: Command,
  words: readonly string[],
  out: Output,
  makeContext: MakeContext,
  help?: (command: Command) => Promise<string>,
): Promise<number> {
  const { args, flags } = readFlags(words, command);
  if (flags.version) return say(out, version);
  if (flags.help && help) return say(out, await help(command));
  checkArgs(command, args);
  const json = wantedOutput(flags, command.formats) === "json";
  const server = typeof flags.server === "string" ? flags.server : undefined;
  if (command.local && server !== undefined)
    throw usage(
      `oj ${command.name} is about this machine: --server means nothing to it`,
      `oj ${command.name}`,
    );
  const context = await makeContext({
    json,
    project: projectOf(flags),
    server: command.local ? null : server,
    lenient: command.lenient ?? false,
  });
  const code = (await command.run(context, args, flags as Given<never>)) ?? 0;
  const as_of_ms = context.asOf?.() ?? null;
  if (as_of_ms !== null && isList(command.name) && !json && flags.output !== "csv")
    out.print(asOfWords(as_of_ms, context.now()));
  return code;
}

/** What shows many things, so that nobody sees which of them others have changed meanwhile. */
function isList(name: string): boolean {
  return /(^| )list$/.test(name) || ["status", "person", "decision dashboard"].includes(name);
}

/** "as of 14:02: PostgreSQL can't be reached". */
function asOfWords(ms: number, now: number): string {
  const [day, time] = localTime(ms).split(" ");
  const [today] = localTime(now).split(" ");
  return `as of ${time}${day === today ? "" : ` on ${day}`}: PostgreSQL can't be reached`;
}

export function say(out: Output, text: string): number {
  out.print(text);
  return 0;
}

function wantedOutput(flags: Parsed["flags"], more: readonly string[] = []): string {
  const given = String(flags.json ? "json" : (flags.output ?? "text"));
  const known = ["json", ...more, "text"];
  if (known.includes(given)) return given;
  const words = `${known.slice(0, -1).join(", ")} or ${known.at(-1)}`;
  throw usage(`-o takes ${words}, not "${given}"`, "-o json");
}

function projectOf(flags: Parsed["flags"]): string | undefined {
  if (typeof flags.project !== "string") return undefined;
  if (flags.project.trim() === "") throw usage("--project needs a name", "--project NAME");
  return flags.project;
}
