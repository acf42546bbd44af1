/** From the words on the command line to the command: finds it, reads its flags, calls it. */
import { suggest } from "../core/suggest.ts";
import { version } from "../version.ts";
import type { Context, Given, Output } from "./command.ts";
import { usage } from "./fail.ts";
import type { Parsed } from "./parse.ts";
import { checkArgs, GLOBAL, readFlags, readWords } from "./parse.ts";
import { aliases, isCommand, isGroup, loadAll, loadCommand, namesIn } from "./registry.ts";

/** What a command may need that costs time to make: only made when a command is really called. */
export type MakeContext = (given: { json: boolean; project: string | undefined }) => Promise<Context>;

/** Returns the exit code. */
export async function dispatch(
  argv: readonly string[],
  out: Output,
  makeContext: MakeContext,
): Promise<number> {
  const words = argv[0] === "help" ? [...argv.slice(1), "--help"] : argv;
  const { name, rest } = readWords(words, isCommand, isGroup);
  if (!isCommand(name)) return noCommand(name, rest, out);

  const [command, { commandHelp }] = [await loadCommand(name), await helpIf(rest)];
  const { args, flags } = readFlags(rest, command);
  if (flags.version) return say(out, version);
  if (flags.help) return say(out, commandHelp?.(command, out) ?? "");
  checkArgs(command, args);
  const json = wantedOutput(flags) === "json";
  const project = projectOf(flags);
  const context = await makeContext({ json, project });
  return (await command.run(context, args, flags as Given<never>)) ?? 0;
}

/** `oj`, `oj decision`, and words that name nothing. */
async function noCommand(group: string, rest: readonly string[], out: Output): Promise<number> {
  const { args, flags } = readFlags(rest, { name: group, flags: GLOBAL });
  if (flags.version) return say(out, version);
  const [word] = args;
  if (word !== undefined && !(flags.help && word === "help")) throw unknownCommand(group, word);
  const help = await import("./help.ts");
  const all = await loadAll();
  return say(out, group === "" ? help.overview(all, out) : help.groupHelp(group, all, out));
}

function unknownCommand(group: string, word: string): Error {
  const who = group === "" ? "oj" : `oj ${group}`;
  const verbs = namesIn(group).map((name) => name.split(" ")[group === "" ? 0 : 1] ?? "");
  const known = new Set(group === "" ? [...verbs, ...Object.keys(aliases)] : verbs);
  const near = suggest(word, known);
  // A verb without its group: `oj resolve` means `oj decision resolve`.
  const elsewhere = group === "" ? namesIn().find((name) => name.endsWith(` ${word}`)) : undefined;
  const meant = elsewhere ?? (near === null ? null : `${group} ${near}`.trim());
  return usage(`${who} has no command "${word}"`, meant ? `did you mean oj ${meant}?` : `${who} --help`);
}

/** Help is loaded only when it is asked for. */
async function helpIf(words: readonly string[]): Promise<Partial<typeof import("./help.ts")>> {
  return words.includes("--help") || words.some((word) => /^-\w*h/.test(word)) ? import("./help.ts") : {};
}

function wantedOutput(flags: Parsed["flags"]): string {
  const given = flags.json ? "json" : (flags.output ?? "text");
  if (given === "json" || given === "text") return given;
  throw usage(`-o takes json or text, not "${String(given)}"`, "-o json");
}

function projectOf(flags: Parsed["flags"]): string | undefined {
  if (typeof flags.project !== "string") return undefined;
  if (flags.project.trim() === "") throw usage("--project needs a name", "--project NAME");
  return flags.project;
}

function say(out: Output, text: string): number {
  out.print(text);
  return 0;
}
