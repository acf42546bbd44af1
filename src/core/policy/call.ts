/**
 * A call of a tool as policies see it: the commands in it, those inside other commands too, and every path that it
 * names.
 */
import { isInterpreter, isShell, isSpecialCommand } from "../script/known.ts";
import type { SeenCommand, SimpleCommands } from "../script/simple.ts";
import { simpleCommands } from "../script/simple.ts";
import { isAssignment } from "../script/words.ts";
import type { Place } from "./paths.ts";
import { absolute, lexical, pathsIn } from "./paths.ts";

/** Stands for a word that is known only when the line runs: only `*` and `**` fit it. */
export const UNKNOWN_WORD = "\u{10FFFF}";
const DEEPEST = 4;
const MOST_COMMANDS = 2000;
const MOST_FOLDERS = 6;
const MOST_PATHS = 400;
const LONGEST_PATH = 4096;
/** Levels of another tool's input. */
const DEEPEST_INPUT = 20;

export interface Call {
  tool: string;
  input: unknown;
  /** The text that a shell runs; null if the tool is no shell. */
  text: string | null;
  /** What bash reads in it. */
  line: SimpleCommands | null;
  /** The folder in which a shell runs it, if the call names one that is not the agent's. */
  folder: string | null;
  /** The words of every command that a reader finds in it, at any depth. */
  commands: readonly (readonly string[])[];
  /** The commands of each pipe in it. A line that is more than a list of commands may be one pipe as a whole. */
  pipes: readonly (readonly (readonly string[])[])[];
  /** The paths that it names, for each command of the line; for other tools in one list. */
  paths: readonly (readonly NamedPath[])[];
  /** There are more folders or paths than we follow: nothing about them is certain. */
  isVague: boolean;
}

/** A word that may name a path, and what it may name. */
export interface NamedPath {
  word: string;
  /** Absolute, not resolved yet; null if even that can't be told. */
  paths: readonly (string | null)[];
}

export function readCall(
  { tool, input }: { tool: string; input: unknown },
  { cwd, home }: Pick<Place, "cwd" | "home">,
): Call {
  const text = commandOf(input);
  if (text === null) {
    const { words, isVague } = pathWords(input);
    const paths = words.map((word) => ({ word, paths: [pathNamed(word, cwd, home)] }));
    const none = { line: null, folder: null, commands: [], pipes: [] };
    return { ...none, tool, input, text, paths: [paths], isVague };
  }
  const folder = folderOf(input, cwd, home);
  const line = simpleCommands(text);
  const found: Found = { commands: [], pipes: [] };
  dig(line, found, 0);
  const { paths, isVague } = linePaths(line.commands, folder === null ? [cwd] : [cwd, folder], home);
  return {
    tool,
    input,
    text,
    line,
    folder,
    commands: found.commands.map(wordsIn).filter((it) => it.length > 0),
    pipes: found.pipes,
    paths,
    isVague,
  };
}

/** The paths that must be looked up before the call can be judged. */
export function wantedPaths({ paths }: Call): string[] {
  const wanted = new Set<string>();
  for (const path of paths.flat().flatMap((it) => it.paths)) {
    if (path === null) continue;
    wanted.add(path);
    if (path.includes("..")) wanted.add(lexical(path));
  }
  return [...wanted];
}

function commandOf(input: unknown): string | null {
  const command = (input as { command?: unknown } | null)?.command;
  return typeof command === "string" ? command : null;
}

/** Clients that start each command in a folder of its own name it beside the command. */
function folderOf(input: unknown, cwd: string, home: string | null): string | null {
  const { cwd: own, workdir, working_directory } = input as Record<string, unknown>;
  const folder = [own, workdir, working_directory].find((it) => typeof it === "string" && it !== "");
  if (typeof folder !== "string") return null;
  const place = lexical(absolute(folder, cwd, home) ?? "/");
  return place === lexical(cwd) ? null : place;
}

/** The words of a command without the variables that it sets; what can't be known is a mark that only `*` fits. */
function wordsIn({ words }: SeenCommand): string[] {
  const first = words.findIndex((it) => !isAssignment(it.text));
  return first === -1 ? [] : words.slice(first).map((it) => it.literal ?? UNKNOWN_WORD);
}

/** Everything that a reader finds in a line and in the texts that its commands run. */
interface Found {
  commands: SeenCommand[];
  pipes: string[][][];
}

/**
 * Finds the commands in texts that a command runs: `env -S "…"`, `watch "…"`, `git -c alias.x='!…'`, what is piped to a
 * shell.
 */
function dig(read: SimpleCommands, found: Found, depth: number): void {
  let before: SeenCommand[] = [];
  found.pipes.push(...pipesOf(read));
  for (const command of read.commands) {
    if (found.commands.length >= MOST_COMMANDS) return;
    found.commands.push(command);
    if (!command.isPiped) before = [];
    const [first = "", ...args] = wordsIn(command);
    const name = first.replace(/^.*\//s, "");
    const runsInput = isShell(name) || isInterpreter(name) || RUNS_INPUT.test(name);
    const runsText = isSpecialCommand(name) || RUNS_TEXT.test(name);
    const texts = [
      ...(runsText ? textsIn(args) : []),
      ...(name === "git" ? gitTexts(args) : []),
      ...(runsInput
        ? [...inputOf(command), ...before.flatMap((it) => [...inputOf(it), ...textsIn(wordsIn(it).slice(1))])]
        : []),
    ];
    before.push(command);
    if (depth >= DEEPEST) continue;
    for (const text of new Set(texts)) dig(simpleCommands(text), found, depth + 1);
  }
}

const RUNS_INPUT = /^(?:xargs|parallel|at|batch|tee|eval|source|\.)$/;
const RUNS_TEXT =
  /^(?:watch|su|runuser|script|tmux|screen|ssh|docker|podman|kubectl|env|sudo|doas|npx|flock|timeout|entr|nix-shell|\u{10FFFF})$/u;

/** The words that may be a command line of their own, and all of them as one line. */
function textsIn(args: readonly string[]): string[] {
  const own = args.filter((it) => /\s/.test(it));
  return [
    ...own,
    ...own.flatMap((it) =>
      [...it.matchAll(/(["'`])((?:(?!\1)[^\\]|\\.)+)\1/gs)].map((quoted) => quoted[2] ?? ""),
    ),
    args.filter((it) => it !== UNKNOWN_WORD).join(" "),
  ].filter((it) => it !== "");
}

/** Settings and options whose value git runs. */
function gitTexts(args: readonly string[]): string[] {
  return args.flatMap((word, at) => {
    if (args[at - 1] === "-c") return [word.replace(/^[^=]*=!?/s, "")];
    if (/^(?:-x|--exec|run|foreach)$/.test(args[at - 1] ?? "")) return [args.slice(at).join(" ")];
    return /^--[a-z-]+=.*\s/s.test(word) ? [word.replace(/^[^=]*=/s, "")] : [];
  });
}

/** What it reads that stands in the line itself: here-documents and here-strings. */
function inputOf({ documents, redirections }: SeenCommand): string[] {
  const strings = redirections.flatMap(({ operator, word }) =>
    operator === "<<<" ? [word.literal ?? ""] : [],
  );
  return [...documents, ...strings];
}

function pipesOf({ commands, isFlat }: SimpleCommands): string[][][] {
  if (!commands.some((it) => it.isPiped)) return [];
  if (!isFlat) return [commands.map(wordsIn)];
  const pipes: string[][][] = [];
  for (const command of commands) {
    if (command.isPiped) pipes.at(-1)?.push(wordsIn(command));
    else if (!command.isInner) pipes.push([wordsIn(command)]);
  }
  return pipes.filter((it) => it.length > 1);
}

/** A `cd` that fails leaves the shell where it was: later words are read from every folder that it may be in. */
function linePaths(
  commands: readonly SeenCommand[],
  from: readonly string[],
  home: string | null,
): { paths: NamedPath[][]; isVague: boolean } {
  const folders = new Set(from);
  let count = 0;
  let isVague = false;
  const paths = commands.map((command) => {
    const words = [
      ...wordsIn(command).slice(1),
      ...command.redirections.filter(isFile).map((it) => it.word.literal ?? UNKNOWN_WORD),
    ];
    const [name = ""] = wordsIn(command);
    for (const dir of foldersIn(name, words)) {
      for (const folder of [...folders]) folders.add(absolute(dir, folder, home) ?? "/");
      if (folders.size > MOST_FOLDERS) isVague = true;
    }
    return words.flatMap((word) => {
      if (isVague || word === UNKNOWN_WORD) return [{ word, paths: [null] }];
      const named = pathsIn(word);
      count += named.length * folders.size;
      if (count > MOST_PATHS) isVague = true;
      return [
        { word, paths: [...folders].flatMap((folder) => named.map((it) => absolute(it, folder, home))) },
      ];
    });
  });
  return { paths, isVague };
}

/** Not `/dev/null`, and not another descriptor. */
function isFile({ operator, word }: SeenCommand["redirections"][number]): boolean {
  return word.literal !== "/dev/null" && !(/^[<>]&$/.test(operator) && /^(?:\d+|-)$/.test(word.text));
}

function foldersIn(name: string, words: readonly string[]): string[] {
  if (name === "cd" || name === "pushd") return words.slice(0, 1);
  return words.flatMap((word, at) =>
    /^(?:-C|--cwd|--prefix|--directory|--dir)$/.test(words[at - 1] ?? "") ? [word] : [],
  );
}

/** What another tool's input says about files, at any depth: values under a name that says so, and those that look like a path. */
function pathWords(input: unknown): { words: string[]; isVague: boolean } {
  const words: string[] = [];
  let isVague = false;
  const look = (key: string, value: unknown, depth: number): void => {
    if (isVague) return;
    if (typeof value === "string") {
      if (isPath(key, value)) words.push(value);
    } else if (typeof value === "object" && value !== null) {
      const inside = Array.isArray(value) ? value.map((it) => [key, it] as const) : Object.entries(value);
      if (depth < DEEPEST_INPUT) for (const [name, it] of inside) look(name, it, depth + 1);
      else isVague = true;
    }
    isVague ||= words.length > MOST_PATHS;
  };
  look("", input, 0);
  return { words, isVague };
}

function isPath(key: string, value: string): boolean {
  if (/(?:path|file|dir|directory|folder|root|cwd)s?$/i.test(key)) return true;
  const looksLikeIt = /^(?:\/|~|\.\.?\/|\.\.$|file:|.*\/\.\.(?:\/|$))/i;
  const start = value.slice(0, LONGEST_PATH); // a longer one may name a short one: `/./././etc`
  return looksLikeIt.test(start) && !start.includes("\n");
}

/** The path that a value names; one in a `file:` address too. */
function pathNamed(word: string, cwd: string, home: string | null): string | null {
  if (!/^file:/i.test(word)) return absolute(word, cwd, home);
  const [, path] = /^file:(?:\/\/(?:localhost)?)?(\/[^?#]*)/i.exec(word) ?? [];
  try {
    return path === undefined ? null : decodeURIComponent(path);
  } catch {
    return null; // broken: nobody can tell
  }
}
