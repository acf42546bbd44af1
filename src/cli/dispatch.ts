/** From the words on the command line to the command, its help, or what was probably meant. */
import { suggest } from "../core/text/suggest.ts";
import { version } from "../version.ts";
import type { Output } from "./base/command.ts";
import { usage } from "./base/fail.ts";
import type { MakeContext } from "./base/invoke.ts";
import { invoke, say } from "./base/invoke.ts";
import { GLOBAL, readFlags, readWords } from "./base/parse.ts";
import { aliases } from "./is-frequent.ts";
import * as registry from "./registry.ts";
import { isCommand, isGroup, loadAll, loadCommand, namesIn } from "./registry.ts";

/** Returns the exit code. */
export async function dispatch(
  argv: readonly string[],
  out: Output,
  makeContext: MakeContext,
): Promise<number> {
  const words = argv[0] === "help" ? [...argv.slice(1), "--help"] : argv;
  const { name, rest } = readWords(words, isCommand, isGroup);
  if (!isCommand(name)) return noCommand(name, rest, out);
  const withCommands: MakeContext = async (given) => ({ ...(await makeContext(given)), commands: registry });
  return invoke(await loadCommand(name), rest, out, withCommands, async (command) => {
    return (await import("./help.ts")).commandHelp(command, out);
  });
}

/** `oj`, `oj decision`, and words that name nothing. */
async function noCommand(group: string, rest: readonly string[], out: Output): Promise<number> {
  const { args, flags } = readFlags(rest, { name: group, flags: GLOBAL });
  if (flags.version) return say(out, version);
  const [word] = args;
  if (word !== undefined) throw unknownCommand(group, args);
  const help = await import("./help.ts");
  const all = await loadAll();
  return say(out, group === "" ? help.overview(all, out) : help.groupHelp(group, all, out));
}

function unknownCommand(group: string, [word = "", next = ""]: readonly string[]): Error {
  const who = group === "" ? "oj" : `oj ${group}`;
  const verbs = namesIn(group).map((name) => name.split(" ")[group === "" ? 0 : 1] ?? "");
  const near = suggest(word, new Set(group === "" ? [...verbs, ...Object.keys(aliases)] : verbs));
  // A verb without its group: "resolve" alone means `oj decision resolve`.
  const elsewhere = group === "" ? namesIn().find((name) => name.endsWith(` ${word}`)) : undefined;
  const nearest = near === null ? null : `${group} ${near}`.trim();
  const meant = elsewhere ?? (isCommand(`${nearest} ${next}`) ? `${nearest} ${next}` : nearest);
  return usage(`${who} has no command "${word}"`, meant ? `did you mean oj ${meant}?` : `${who} --help`);
}
