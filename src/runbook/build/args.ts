/** A command's arguments: reads the declaration in `args`, and what a person gave for them. */

import { Refusal } from "../../core/model/errors.ts";
import type { Arg, Command } from "../../core/model/runbook.ts";
import { suggest } from "../../core/text/suggest.ts";

/** Flags of `oj run` itself. */
const TAKEN = ["-a", "-o", "-h", "--wait", "--attach", "--json", "--project", "--output", "--help"];

const LONGEST = 2000;
const FORMS = "it can contain <a>, [a], <a...>, [a...], --flag, -f/--flag, --opt <v>, [--opt <v>]";
const POSITIONAL = /^([A-Za-z0-9_-]+)(\.\.\.)?$/;
const FLAG = /^(?:-([A-Za-z0-9])\/)?--([A-Za-z0-9][A-Za-z0-9_-]*)(?:[ =]+<([^<>]+)>)?$/;

/** `start` and `end` are offsets into the given text. */
export type ReportArg = (start: number, end: number, message: string, hint?: string) => void;

export function readArgs(spec: string, report: ReportArg): Arg[] {
  if (spec.length > LONGEST) report(0, spec.length, `args has more than ${LONGEST} characters`);
  if (spec.length > LONGEST) return [];
  const args: Arg[] = [];
  for (const { 0: item, index } of spec.matchAll(/\[[^\]]*\]|<[^>]*>|-\S*(?: +<[^>]*>)?|\S+/g)) {
    const problem = (message: string, hint?: string) => report(index, index + item.length, message, hint);
    const arg = readArg(item);
    if (arg === null) {
      problem(`args has "${item}", which is not an argument`, FORMS);
      continue;
    }
    const taken = flagsOf(arg).find((it) => TAKEN.includes(it));
    const twice = namesOf(arg).find((it) => args.some((other) => namesOf(other).includes(it)));
    if (taken) problem(`${taken} is a flag of oj run itself`, "choose another name");
    if (twice) problem(`args has ${arg.kind === "positional" ? `"${arg.name}"` : twice} twice`);
    const last = args.findLast((it) => it.kind === "positional");
    if (arg.kind === "positional" && last?.variadic) {
      problem(`${written(arg)} can't come after ${written(last)}, which takes everything that is left`);
    } else if (arg.kind === "positional" && arg.required && last?.required === false) {
      problem(`${written(arg)} is required, so it can't come after ${written(last)}, which is optional`);
    }
    args.push(arg);
  }
  return args;
}

/**
 * The arguments of a run, by name: words as typed, and `named` from `-a name=value`. A refusal lists everything that is
 * wrong.
 */
export function parseArgs(
  command: Command,
  argv: string[],
  named: Record<string, string> = {},
): { values: Record<string, string | string[]> } {
  const problems: string[] = [];
  const given = new Map<string, string | string[]>();
  for (const [name, value] of Object.entries(named)) giveNamed(name, value);
  const positionals = command.args.filter((it) => it.kind === "positional" && !given.has(it.name));
  const words = takeFlags();
  for (const arg of positionals) {
    if (words.length === 0) break;
    give(arg, isVariadic(arg) ? words.splice(0) : (words.shift() ?? ""));
  }
  for (const word of words) problems.push(`unexpected argument "${word}"`);
  const values = command.args.map((arg) => [arg.name, given.get(arg.name) ?? fallback(arg)] as const);
  if (problems.length === 0) return { values: Object.fromEntries(values) };
  throw new Refusal(
    "command.arguments",
    `${command.name} can't start: ${problems.join("; ")}.`,
    usage(command),
    { problems },
  );

  function giveNamed(name: string, value: string): void {
    const arg = command.args.find((it) => it.name === name);
    const near = suggest(
      name,
      command.args.map((it) => it.name),
    );
    if (!arg) problems.push(`there is no argument "${name}"${near ? ` (did you mean "${near}"?)` : ""}`);
    else if (arg.kind !== "flag") give(arg, isVariadic(arg) ? [value] : value);
    else if (value === "true") give(arg, "true");
    else if (value === "false" || value === "") give(arg, "");
    else problems.push(`${written(arg)} is true or false, not "${value}"`);
  }

  /** Takes out flags and options; returns the other words. */
  function takeFlags(): string[] {
    const rest = [...argv];
    const others: string[] = [];
    for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
      if (word === "--") return [...others, ...rest];
      if (!/^-[^\d]/.test(word)) others.push(word);
      else takeFlag(word, rest);
    }
    return others;
  }

  function takeFlag(word: string, rest: string[]): void {
    const [, flag = word, inline] = /^(-[^=]*)=([\s\S]*)$/.exec(word) ?? [];
    const arg = command.args.find((it) => flagsOf(it).includes(flag));
    if (!arg || arg.kind === "positional") {
      const near = suggest(
        flag,
        command.args.flatMap(flagsOf).filter((it) => it.startsWith("--")),
      );
      problems.push(`there is no ${flag}${near ? ` (did you mean ${near}?)` : ""}`);
    } else if (arg.kind === "flag") {
      if (inline === undefined) give(arg, "true");
      else problems.push(`${flag} takes no value`);
    } else {
      const isNextFlag = command.args.some((it) => flagsOf(it).includes(rest[0] ?? ""));
      const value = inline ?? (isNextFlag ? undefined : rest.shift());
      if (value === undefined) problems.push(`${flag} needs a <${arg.value}>`);
      give(arg, value ?? "");
    }
  }

  function give(arg: Arg, value: string | string[]): void {
    if (given.has(arg.name)) problems.push(`${written(arg)} is given twice`);
    else given.set(arg.name, value);
  }

  function fallback(arg: Arg): string | string[] {
    const value = Object.hasOwn(command.defaults, arg.name) ? command.defaults[arg.name] : undefined;
    if (value === "false" && arg.kind === "flag") return "";
    if (value !== undefined) return isVariadic(arg) ? [value] : value;
    if (arg.kind !== "flag" && arg.required) problems.push(`${written(arg)} is missing`);
    return isVariadic(arg) ? [] : "";
  }
}

function usage(command: Pick<Command, "name" | "usage">): string {
  return `usage: oj run ${command.name} ${command.usage}`.trimEnd();
}

function readArg(item: string): Arg | null {
  const isOptional = item.startsWith("[");
  const isBare = !isOptional && !item.startsWith("<");
  const inner = isBare ? item : item.slice(1, -1).trim();
  const [, name, dots] = (!isBare && POSITIONAL.exec(inner)) || [];
  if (name !== undefined && !name.startsWith("-")) {
    return { kind: "positional", name, required: !isOptional, variadic: dots !== undefined };
  }
  const [, short, long, value] = ((isBare || isOptional) && FLAG.exec(inner)) || [];
  if (long === undefined) return null;
  const names = { name: long, ...(short === undefined ? {} : { short }) };
  return value === undefined
    ? { kind: "flag", ...names }
    : { kind: "option", ...names, required: !isOptional, value };
}

function flagsOf(arg: Arg): string[] {
  if (arg.kind === "positional") return [];
  return [`--${arg.name}`, ...(arg.short === undefined ? [] : [`-${arg.short}`])];
}

/** Names that no other argument may have: not even a positional and a flag can share one. */
function namesOf(arg: Arg): string[] {
  return [`--${arg.name}`, ...flagsOf(arg)];
}

function isVariadic(arg: Arg): boolean {
  return arg.kind === "positional" && arg.variadic;
}

/** The argument as messages write it. */
function written(arg: Arg): string {
  if (arg.kind !== "positional") return `--${arg.name}`;
  const name = arg.variadic ? `${arg.name}...` : arg.name;
  return arg.required ? `<${name}>` : `[${name}]`;
}
