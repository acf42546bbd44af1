/**
 * What one simple command does with the values in it. A value may be an argument of
 * a program or of a builtin that takes text. Every other builtin, and each program
 * that runs its arguments, is read in its own way; anything unknown is a fault.
 */

import { readBuiltin } from "./builtins.ts";
import type { Command, Tools } from "./call.ts";
import { COMMAND, SCRIPT, UNKNOWN } from "./faults.ts";
import type { Flow, Word } from "./flow.ts";
import { carry, emptyFlow, forbid, forbidNow, INPUT, joinFlows } from "./flow.ts";
import { BUILTINS, isSpecialCommand } from "./known.ts";
import { readProgram } from "./programs.ts";
import type { Scan } from "./scan.ts";
import { argumentOf, argumentsOf, MOST_PLACES, scanInside } from "./scan.ts";
import { flowOf, setVariable } from "./variables.ts";
import { isAssignment } from "./words.ts";

/** Reads a command, and returns what may get into its output. */
export function readCommand(scan: Scan, command: Command): Flow {
  const { words, input, loop } = command;
  const { flows } = scan;
  // By name, because the bodies of its here-documents are read after it.
  const carrier = `${INPUT} ${flows.edges.size}`;
  flows.edges.set(carrier, input);
  carry(flows, INPUT, flowOf(carrier));
  flows.seen?.commands.push({ ...command, isInner: scan.base === Number.NEGATIVE_INFINITY });
  if (loop !== null) {
    setVariable(scan, loop, joinFlows(words.slice(1).map((it) => it.flow)), null);
    return emptyFlow();
  }
  const first = words.findIndex((it) => !isAssignment(it.text));
  for (const word of first === -1 ? words : words.slice(0, first)) assign(scan, word);
  const call = first === -1 ? [] : words.slice(first);
  const output = joinFlows([flowOf(carrier), ...call.map((it) => it.flow)]);
  if (call.length === 0) return flowOf(carrier);
  readCall(scan, call, command, output);
  carry(flows, "_", output);
  return printsNumbers(call) ? emptyFlow() : output;
}

/** `name=value`, `name[key]=value`, `name=(…)`. */
function assign(scan: Scan, word: Word): void {
  const [, name = "", key, plus] = /^([A-Za-z_]\w*)(\[[\s\S]*\])?(\+?)=/.exec(word.text) ?? [];
  const { arrays } = scan.flows;
  const array = arrays.get(name) ?? { commands: [], isOther: false };
  arrays.set(name, array);
  if (word.elements === null || key !== undefined) array.isOther = true;
  else if (plus === "") array.commands.push(word.elements);
  const literal =
    word.literal === null || key !== undefined || plus !== "" ? null : word.literal.replace(/^.*?=/s, "");
  setVariable(scan, name, word.flow, literal);
}

/** For the readers of builtins and programs, which may contain other commands. */
const tools: Tools = { readCall: readInner, assign, readNested };

function readInner(scan: Scan, words: Word[], command: Command, output: Flow): void {
  scan.flows.seen?.commands.push({ ...command, words, redirections: [], documents: [], isInner: true });
  readCall(scan, words, command, output);
}

/** The command that begins with the first of these words; another one follows `sudo`, `env` and the like. */
function readCall(scan: Scan, words: Word[], command: Command, output: Flow): void {
  const [first, ...args] = words;
  if (!first) return;
  if (first.literal === null) {
    readUnknown(scan, first, args, command, output);
    return;
  }
  const name = first.literal;
  passArguments(scan, name, args);
  output.names.add(outputOf(name));
  scan.flows.later.push(() => {
    if (scan.flows.runners.has(name)) readRunner(scan, args);
  });
  if (BUILTINS.has(name)) readBuiltin(scan, { name, args, command, output, tools });
  else readProgram(scan, { name: name.replace(/^.*\//s, ""), args, command, output, tools });
}

/** The carrier of what a function prints. */
export function outputOf(name: string): string {
  return `>${name}`;
}

/**
 * `f a "$b"`: what `$1` and `$2` are inside `f`. After a word
 * that may become several, or none, positions are uncertain.
 */
function passArguments({ flows }: Scan, name: string, args: Word[]): void {
  const unsure = args.findIndex((it) => it.splits || it.holes.some((hole) => hole.place === "words"));
  args.forEach((word, at) => {
    carry(flows, argumentsOf({ name }), word.flow);
    const isSure = unsure === -1 || at < unsure;
    for (let place = isSure ? at : unsure; place < (isSure ? at + 1 : MOST_PLACES); place++)
      carry(flows, argumentOf(name, place + 1), word.flow);
  });
}

/** A call of `run() { …; "$@"; }`: its own options and numbers, then a command that must be known to be harmless. */
function readRunner({ flows }: Scan, args: Word[]): void {
  const at = args.findIndex((it) => it.literal === null || !/^(?:[-+].*|[\d.]+\w?|)$/s.test(it.literal));
  const rest = at === -1 ? [] : args.slice(at);
  const [first] = rest;
  if (first?.literal === null) forbidNow(flows, joinFlows(args.map((it) => it.flow)), COMMAND);
  if (rest.some((it) => it.literal !== null && isSpecialCommand(it.literal)))
    forbidNow(flows, joinFlows(args.map((it) => it.flow)), UNKNOWN);
}

/** The command's name is not constant. */
function readUnknown(scan: Scan, first: Word, args: Word[], command: Command, output: Flow): void {
  const { flows, body } = scan;
  const behind = joinFlows(args.map((it) => it.flow));
  if (/^"?\$(?:[@*]|\{[@*](?::\d+)?\})"?$/.test(first.text) && body) {
    flows.runners.add(body.name);
    forbid(flows, behind, UNKNOWN);
    return;
  }
  // It may expand to no word at all, and then the next one is the command.
  if (first.splits) readCall(scan, args, command, output);
  const array = /^"?\$\{(\w+)\[@\]\}"?$/.exec(first.text)?.[1];
  if (array !== undefined) {
    readArray(scan, array, first, behind);
    return;
  }
  const prefix = /^[^$`\0<>*?[{]*/.exec(first.text)?.[0] ?? "";
  if (first.holes.length > 0 ? !prefix.includes("/") : true) forbid(flows, first.flow, COMMAND);
  // A path is a program, never a builtin; what it does with its arguments is its business, unless we know it.
  const base = /\/([\w.-]+)"?$/.exec(first.text)?.[1];
  if (base !== undefined) {
    readProgram(scan, { name: base, args, command, output, tools });
    return;
  }
  if (/\/[^/]*$/.test(first.text.replace(/\$\([\s\S]*\)|`[\s\S]*`|\$\{[^}]*\}/g, "_"))) return;
  const variable = /^"?\$\{?(\w+)(?:\}|:-(\w+)\})?"?$/.exec(first.text);
  flows.later.push(() => {
    const known =
      variable?.[1] === undefined || /^\d/.test(variable[1]) ? null : flows.constants.get(variable[1]);
    const texts = known === undefined ? [] : known === null ? [null] : [...known];
    if (variable?.[2] !== undefined) texts.push(variable[2]);
    if (texts.some((it) => it === null || isSpecialCommand(it.trim().split(/\s/, 1)[0] ?? "")))
      forbidNow(flows, behind, UNKNOWN);
  });
}

/** `"${cmd[@]}"`: fine if the array always begins with a program that takes text. */
function readArray({ flows }: Scan, name: string, first: Word, behind: Flow): void {
  flows.later.push(() => {
    const array = flows.arrays.get(name);
    const names = array?.commands.map(([it]) => it?.literal ?? null) ?? [];
    const isKnown = array !== undefined && !array.isOther && names.length > 0;
    if (!isKnown || names.some((it) => it === null || isSpecialCommand(it)))
      forbidNow(flows, joinFlows([first.flow, behind]), COMMAND);
  });
}

/**
 * Reads script text that runs later, or in another shell, as part of this script: it may evaluate the same variables.
 */
function readNested(scan: Scan, text: string | null, where: "here" | "elsewhere"): Flow {
  if (text === null || text === "") return emptyFlow();
  const inside = scanInside(scan, text, 0);
  if (where === "elsewhere") Object.assign(inside, { body: null, base: Number.NEGATIVE_INFINITY });
  try {
    inside.commands(inside, "");
  } catch {
    forbid(scan.flows, joinFlows([{ holes: new Set(), names: new Set(["*", "@"]) }]), SCRIPT);
  }
  return inside.level.output;
}

/** Whether the command's output contains nothing of its arguments or its input. */
function printsNumbers(words: Word[]): boolean {
  const [name, ...args] = words.map((it) => it.literal ?? "?");
  switch (name) {
    case "wc":
      return args.every((it) => it.startsWith("-"));
    case "grep":
      return (
        args.some((it) => /^-[a-zA-Z]*c|^--count$/.test(it)) &&
        args.filter((it) => !it.startsWith("-")).length <= 2
      );
    case "git":
      return args[0] === "rev-list" && args.includes("--count");
    case "date":
      return args.some((it) => /^\+%[a-zA-Z]+$/.test(it));
    case "stat":
      return args.some(
        (it, at) => /^-[cf]$/.test(args[at - 1] ?? "") && /^%[a-z]+$/.test(it) && !/%n/i.test(it),
      );
    default:
      return false;
  }
}
