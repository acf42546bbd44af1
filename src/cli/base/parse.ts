/** Reads the command line: the command's words, its flags, and the flags that work everywhere. */
import { suggest } from "../../core/text/suggest.ts";
import type { Command, Flag, Flags } from "./command.ts";
import { usage } from "./fail.ts";

/** Flags that every command knows, before or after its words. */
export const GLOBAL = {
  output: {
    type: "string",
    short: "o",
    value: "json|text",
    help: "what to print; --json is the same as -o json",
  },
  json: { type: "boolean", help: "the same as -o json" },
  project: {
    type: "string",
    value: "NAME",
    help: "the project (default: OJ_PROJECT, .oj/config.toml or the folder's name)",
  },
  server: {
    type: "string",
    value: "NAME|URL",
    help: "the machine to ask (default: what `oj context use` says)",
  },
  help: { type: "boolean", short: "h", help: "flags and examples" },
  version: { type: "boolean", help: "the version of oj" },
} as const satisfies Flags;

export interface Words {
  /** "decision list", or as far as the words lead: "decision", "". */
  name: string;
  /** Everything that is not one of the command's words. */
  rest: string[];
}

/**
 * Finds the command in front of its arguments. Only global flags may stand before or between its words. `isCommand` and `isGroup` say what
 * the words name so far.
 */
export function readWords(
  argv: readonly string[],
  isCommand: (name: string) => boolean,
  isGroup: (name: string) => boolean,
): Words {
  const rest: string[] = [];
  let name = "";
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? "";
    if (word.startsWith("-") && word !== "-") {
      const flag = word === "--" ? undefined : findFlag(GLOBAL, word);
      if (!flag) return { name, rest: [...rest, ...argv.slice(at)] };
      rest.push(word);
      if (flag.spec.type === "string" && flag.value === undefined && at + 1 < argv.length)
        rest.push(argv[++at] ?? "");
      continue;
    }
    const longer = name === "" ? word : `${name} ${word}`;
    const next = `${longer} ${argv[at + 1] ?? ""}`; // `oj person` is a command, and `oj person remove` another
    if (isCommand(next)) return { name: next, rest: [...rest, ...argv.slice(at + 2)] };
    if (isCommand(longer)) return { name: longer, rest: [...rest, ...argv.slice(at + 1)] };
    if (!isGroup(longer)) return { name, rest: [...rest, ...argv.slice(at)] };
    name = longer;
  }
  return { name, rest };
}

export interface Parsed {
  args: string[];
  flags: Record<string, boolean | string | string[]>;
}

/** What flags for somebody's own words take. */
const WORDS = "TEXT";

/**
 * Splits flags from arguments. A flag that takes a value takes the next word, whatever it looks like. The last value
 * counts, so that a script or an alias may set one; but what somebody has to say never gets lost silently.
 */
export function readFlags(
  words: readonly string[],
  command: Pick<Command, "name" | "flags" | "passesFlags">,
): Parsed {
  const known: Flags = { ...GLOBAL, ...command.flags };
  const args: string[] = [];
  const flags: Parsed["flags"] = {};
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--") {
      args.push(...words.slice(at + 1));
      break;
    }
    if (!looksLikeFlag(word)) {
      args.push(word);
      continue;
    }
    const found = findFlag(known, word);
    if (!found) {
      if (!command.passesFlags) throw unknownFlag(word, command, known);
      args.push(word);
      continue;
    }
    for (const name of found.switches) flags[name] = true;
    if (found.spec.type === "boolean") {
      if (found.value !== undefined)
        throw usage(`${shown(found)} takes no value`, `oj ${command.name} --help`.replace("  ", " "));
      flags[found.name] = true;
      continue;
    }
    if (found.value === undefined && at + 1 >= words.length) {
      throw usage(`${shown(found)} needs a value`, `${shown(found)} ${found.spec.value ?? "VALUE"}`);
    }
    const value = found.value ?? words[++at] ?? "";
    const before = flags[found.name];
    if (found.spec.multiple) flags[found.name] = [...(Array.isArray(before) ? before : []), value];
    else if (before !== undefined && before !== value && found.spec.value === WORDS)
      throw twice(found, command);
    else flags[found.name] = value;
  }
  return { args, flags };
}

/** Whether JSON is wanted, read without complaint: even a refusal of the words themselves must know. */
export function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  const words = end < 0 ? argv : argv.slice(0, end);
  return words.some((word, at) => {
    if (word === "--json" || word === "-o=json" || word === "-ojson" || word === "--output=json") return true;
    return (word === "-o" || word === "--output") && words[at + 1] === "json";
  });
}

/** Refuses too few or too many arguments. `ID [N…]` is one at least, `[FILE…]` any number, `` none. */
export function checkArgs(command: Pick<Command, "name" | "args">, args: readonly string[]): void {
  const words = command.args.split(/\s+/).filter((word) => word !== "" && word !== "|");
  const needed = words.filter((word) => !word.startsWith("["));
  const most = command.args.includes("…") ? Number.POSITIVE_INFINITY : words.length;
  const line = `oj ${command.name} ${command.args}`.trimEnd();
  if (args.length < needed.length)
    throw usage(`oj ${command.name} needs ${needed.slice(args.length).join(" ")}`, line);
  if (args.length > most)
    throw usage(`oj ${command.name} does not take "${args.slice(most).join(" ")}"`, line);
}

interface Found {
  name: string;
  spec: Flag;
  value?: string | undefined;
  /** Switches given in the same word before it: `-fn 5`. */
  switches: string[];
  isShort: boolean;
}

function findFlag(known: Flags, word: string): Found | undefined {
  if (word.startsWith("--")) {
    const equals = word.indexOf("=");
    const name = word.slice(2, equals < 0 ? undefined : equals);
    const spec = Object.hasOwn(known, name) ? known[name] : undefined;
    if (!spec) return undefined;
    return {
      name,
      spec,
      value: equals < 0 ? undefined : word.slice(equals + 1),
      switches: [],
      isShort: false,
    };
  }
  const switches: string[] = [];
  for (let at = 1; at < word.length; at++) {
    const [name, spec] = Object.entries(known).find(([, it]) => it.short === word[at]) ?? [];
    if (name === undefined || !spec) return undefined;
    const rest = word.slice(at + 1);
    if (spec.type === "string") {
      return { name, spec, value: rest === "" ? undefined : rest.replace(/^=/, ""), switches, isShort: true };
    }
    if (rest === "") return { name, spec, switches, isShort: true };
    switches.push(name);
  }
  return undefined;
}

/** `-` is an argument (stdin by custom), and so is a negative number. */
function looksLikeFlag(word: string): boolean {
  return word.length > 1 && word.startsWith("-") && !/^-\d/.test(word);
}

function shown({ name, spec, isShort }: Found): string {
  return isShort ? `-${spec.short}` : `--${name}`;
}

function twice(found: Found, { name }: Pick<Command, "name">): Error {
  return usage(`${shown(found)} is given twice, with different values`, `oj ${name} --help`);
}

function unknownFlag(word: string, command: Pick<Command, "name">, known: Flags): Error {
  const given = word.split("=")[0] ?? word;
  const near = suggest(given.replace(/^--?/, ""), Object.keys(known));
  const who = command.name === "" ? "oj" : `oj ${command.name}`;
  return usage(`${who} has no flag ${given}`, near ? `did you mean --${near}?` : `${who} --help`);
}
