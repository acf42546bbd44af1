/** What may come next on the command line: words, flags, their values, or ids that the daemon knows. */
import { SOURCES, URGENCIES, VIAS } from "../core/model/decision-types.ts";
import { JOB_STATUSES } from "../core/model/job-types.ts";
import { OUTCOMES } from "../core/model/outcome.ts";
import type { Command, Commands, Flag, Flags } from "./base/command.ts";
import { GLOBAL, readWords } from "./base/parse.ts";

export interface Candidate {
  text: string;
  description: string;
}

/** What only the daemon knows. */
export type Dynamic =
  | { kind: "decision"; only?: "pending" }
  | { kind: "job"; only?: "open" | "ended" }
  | { kind: "crew"; only?: "open" | "ended" }
  | { kind: "agent" }
  | { kind: "option"; id: string }
  | { kind: "person" }
  | { kind: "command" };

/** Printed in place of candidates where a file may come. */
export const FILES = ":files";

interface Place {
  /** The part of the word that was typed. */
  current: string;
  /** What comes before it in the same word: `--status=`. */
  prefix: string;
}

export type Wanted = typeof FILES | (Place & ({ candidates: Candidate[] } | { dynamic: Dynamic }));

/** Which of the daemon's things a command is for. The others take any. */
const ONLY: Record<string, Dynamic> = {
  "decision resolve": { kind: "decision", only: "pending" },
  "decision await": { kind: "decision", only: "pending" },
  "decision undo": { kind: "decision", only: "pending" },
  "decision cancel": { kind: "decision", only: "pending" },
  "decision dismiss": { kind: "decision", only: "pending" },
  "job cancel": { kind: "job", only: "open" },
  "job suspend": { kind: "job", only: "open" },
  "job wait": { kind: "job", only: "open" },
  "job delete": { kind: "job", only: "ended" },
  "crew cancel": { kind: "crew", only: "open" },
  "crew wait": { kind: "crew", only: "open" },
  "crew delete": { kind: "crew", only: "ended" },
};

const VALUES: Record<string, readonly string[] | Dynamic> = {
  source: SOURCES,
  urgency: URGENCIES,
  status: JOB_STATUSES,
  via: VIAS,
  outcome: OUTCOMES.filter((it) => it !== "pending"),
  by: { kind: "person" },
  since: ["1d", "7d", "30d", "today", "yesterday"],
  until: ["1d", "7d", "today", "yesterday"],
  output: ["json", "text"],
  parent: { kind: "decision" },
  predecessor: { kind: "decision" },
};

export async function wantedAt(given: readonly string[], commands: Commands): Promise<Wanted> {
  const words = joinEquals(given);
  const current = words.at(-1) ?? "";
  const before = words.slice(0, -1);
  const { name, rest } = readWords(before, commands.isCommand, commands.isGroup);
  if (!commands.isCommand(name))
    return { current, prefix: "", candidates: await namesAt(commands, name, rest, current) };
  return inCommand(await commands.loadCommand(name), rest, current, given.at(-1) ?? "");
}

export function matching(candidates: readonly Candidate[], { current, prefix }: Place): Candidate[] {
  const fits = ({ text }: Candidate) =>
    text.startsWith(current) || text.slice(text.indexOf("-") + 1).startsWith(current);
  return candidates.filter(fits).map((it) => ({ ...it, text: prefix + it.text }));
}

/** bash splits `--status=wait` into three words. */
function joinEquals(words: readonly string[]): string[] {
  const joined: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "=" && joined.at(-1)?.startsWith("--")) joined.push(`${joined.pop()}=${words[++at] ?? ""}`);
    else joined.push(word);
  }
  return joined;
}

/** The next word of a command, or a flag that works everywhere. */
async function namesAt(
  commands: Commands,
  group: string,
  rest: readonly string[],
  current: string,
): Promise<Candidate[]> {
  if (current.startsWith("-")) return flagCandidates(GLOBAL);
  if (positionals(rest, GLOBAL).length > 0) return [];
  const depth = group === "" ? 0 : 1;
  const words = new Set(commands.namesIn(group).map((name) => name.split(" ")[depth] ?? ""));
  const described = [...words].map(async (text) => {
    return { text, description: await summaryOf(commands, group === "" ? text : `${group} ${text}`) };
  });
  return Promise.all(described);
}

async function inCommand(command: Command, rest: string[], current: string, last: string): Promise<Wanted> {
  const known: Flags = { ...command.flags, ...GLOBAL };
  const flagBefore = flagOf(known, rest.at(-1) ?? "");
  if (flagBefore?.spec.type === "string") return valuesOf(command, flagBefore.name, { current, prefix: "" });
  const equals = current.startsWith("--") ? current.indexOf("=") : -1;
  if (equals > 0) {
    const value = current.slice(equals + 1);
    // If the shell split the word, only the value is completed.
    return valuesOf(command, current.slice(2, equals), {
      current: value,
      prefix: last === current ? current.slice(0, equals + 1) : "",
    });
  }
  if (current.startsWith("-")) return { current, prefix: "", candidates: flagCandidates(known) };
  return positional(command, positionals(rest, known), current);
}

function positional(command: Command, given: string[], current: string): Wanted {
  const place = { current, prefix: "" };
  const { completes, args } = command;
  if (command.name === "decision resolve" && given.length > 0)
    return { ...place, dynamic: { kind: "option", id: given[0] ?? "" } };
  if (given.length > 0 && !/^\[?\S+…\]?$/.test(args))
    return args.includes("…") ? FILES : { ...place, candidates: [] };
  if (completes === undefined) return args === "" ? { ...place, candidates: [] } : FILES;
  if (typeof completes === "string") return { ...place, dynamic: ONLY[command.name] ?? { kind: completes } };
  return { ...place, candidates: completes.map((text) => ({ text, description: "" })) };
}

function valuesOf({ formats = [] }: Command, flag: string, place: Place): Wanted {
  const values = Object.hasOwn(VALUES, flag) ? VALUES[flag] : undefined;
  if (values === undefined) return FILES;
  if ("kind" in values) return { ...place, dynamic: values };
  const all = flag === "output" ? [...formats, ...values] : values;
  return { ...place, candidates: all.map((text) => ({ text, description: "" })) };
}

function positionals(rest: readonly string[], known: Flags): string[] {
  return rest.filter(
    (word, at) => !word.startsWith("-") && flagOf(known, rest[at - 1] ?? "")?.spec.type !== "string",
  );
}

function flagOf(known: Flags, word: string): { name: string; spec: Flag } | undefined {
  const found = Object.entries(known).find(
    ([name, spec]) => word === `--${name}` || word === `-${spec.short}`,
  );
  return found && { name: found[0], spec: found[1] };
}

function flagCandidates(flags: Flags): Candidate[] {
  return Object.entries(flags).map(([name, { help }]) => ({ text: `--${name}`, description: help }));
}

async function summaryOf({ groups, loadCommand }: Commands, name: string): Promise<string> {
  return groups[name] ?? (await loadCommand(name)).summary;
}
