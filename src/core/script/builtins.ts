/** What bash's builtins do with the values among their arguments. Programs are in core/script/programs.ts. */

import type { Call } from "./call.ts";
import { readsScript } from "./call.ts";
import { DECLARED, NAME, notFor, SCRIPT, SPLIT } from "./faults.ts";
import type { Word } from "./flow.ts";
import { ANYTHING, addFlow, carry, forbid, INPUT, joinFlows, needs, REFERENCED } from "./flow.ts";
import { isShell, TEXT_BUILTINS } from "./known.ts";
import { skeletonOf } from "./literal.ts";
import { readPrefix } from "./programs.ts";
import type { Scan } from "./scan.ts";
import { ARGUMENTS, keepTogether, markHoles } from "./scan.ts";
import { readTest } from "./test-command.ts";
import { flowOf, setVariable } from "./variables.ts";

export function readBuiltin(scan: Scan, call: Call): void {
  const { name, args, output, tools } = call;
  const { flows } = scan;
  const all = joinFlows(args.map((it) => it.flow));
  if (TEXT_BUILTINS.has(name)) {
    if (/^(?:cd|pushd)$/.test(name)) for (const it of ["PWD", "OLDPWD", "DIRSTACK"]) carry(flows, it, all);
    if (name === "shift" && scan.body) scan.body.isMoved = true;
    return;
  }
  switch (name) {
    case "printf":
      return readPrintf(scan, args);
    case "test":
    case "[":
      return readTest(scan, name === "[" ? args.slice(0, -1) : args);
    case "read":
    case "mapfile":
    case "readarray":
      return readRead(scan, name, args);
    case "declare":
    case "typeset":
    case "local":
    case "readonly":
    case "export":
      return readDeclare(scan, call);
    case "let":
      for (const word of args) {
        markHoles(word.holes, "integer");
        const names = [...word.text.matchAll(/[A-Za-z_]\w*/g)].map(([it]) => it);
        needs(flows, joinFlows([word.flow, flowOf(...names)]), "operand");
      }
      return;
    case "set":
      return readSet(scan, args);
    case "unset":
      forbid(flows, all, NAME);
      for (const it of args) forgetKeys(scan, it.literal);
      return;
    case "getopts":
      forbid(flows, all, NAME);
      for (const it of ["OPTARG", args[1]?.literal ?? REFERENCED])
        carry(flows, it, flowOf(...argumentNames(scan)));
      return;
    case "wait":
      if (args.some((it) => /^-\w*p/.test(it.text) || it.literal === null)) forbid(flows, all, NAME);
      return;
    case "eval":
      return readEval(scan, call);
    case "trap":
      forbid(flows, all, SCRIPT);
      addFlow(output, tools.readNested(scan, args[0] ? skeletonOf(args[0]) : null, "here"));
      return;
    case "source":
    case ".": {
      keepWhole(scan, args);
      const [file, ...rest] = args;
      if (file) forbid(flows, file.flow, SCRIPT);
      if (file && /^\/dev\/(?:stdin|fd\/)/.test(file.literal ?? "/dev/stdin")) readsScript(scan, call);
      carry(flows, ARGUMENTS, joinFlows(rest.map((it) => it.flow)));
      return;
    }
    case "command":
      if (/^-[pvV]*[vV]/.test(args[0]?.literal ?? "")) return;
      return readPrefix(scan, call);
    case "builtin":
    case "exec":
      return readPrefix(scan, call);
    default:
      forbid(flows, all, notFor(name));
  }
}

/** Each of these must stay one word: several words could become options or names. */
function keepWhole(scan: Scan, words: Word[]): void {
  for (const word of words) keepTogether(word.holes);
  // A word that expands to nothing shifts all words after it.
  const unsure = words.findIndex((it) => it.splits);
  if (unsure !== -1) forbid(scan.flows, joinFlows(words.slice(unsure).map((it) => it.flow)), SPLIT);
}

function argumentNames({ body }: Scan): string[] {
  return body ? [`@${body.name}`, ARGUMENTS] : [ARGUMENTS];
}

function readPrintf(scan: Scan, args: Word[]): void {
  let at = 0;
  const { flows } = scan;
  const [option, name] = args;
  if (option?.literal?.startsWith("-v")) {
    const target = option.literal.length > 2 ? option : name;
    if (target) forbid(flows, target.flow, NAME);
    at = target === option ? 1 : 2;
    const rest = joinFlows(args.slice(at).map((it) => it.flow));
    setVariable(
      scan,
      target?.literal?.replace(/^-v/, "").replace(/\[[\s\S]*$/, "") ?? REFERENCED,
      rest,
      null,
    );
    if (target?.literal === null) needs(flows, target.flow, "operand");
  }
  if (args[at]?.literal === "--") return;
  const format = args[at];
  if (!format) return;
  if (args.slice(0, at + 1).some((it) => it.splits)) keepWhole(scan, args);
  keepWhole(scan, [format]);
  const begins = format.text.replace(/^["']+/, "");
  if (/^[\0$`-]/.test(begins)) needs(flows, format.flow, "undashed");
  if (begins.startsWith("-") && format.literal === null) forbid(flows, format.flow, NAME);
}

function readRead(scan: Scan, command: string, args: Word[]): void {
  const taking = command === "read" ? /^-[a-zA-Z]*([adinNptu])$/ : /^-[a-zA-Z]*([dnOsucC])$/;
  const { flows } = scan;
  keepWhole(scan, args);
  const names: Word[] = [];
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as Word;
    const option = taking.exec(word.literal ?? "")?.[1];
    if (option === "a") names.push(...args.slice(++at, at + 1));
    else if (option === "C") forbid(flows, args[++at]?.flow ?? flowOf(), SCRIPT);
    else if (option !== undefined) at++;
    else if (!/^-/.test(word.literal ?? "") || word.literal === null) names.push(word);
  }
  for (const it of names) {
    forbid(flows, it.flow, NAME);
    setVariable(scan, it.literal?.replace(/\[[\s\S]*$/, "") ?? REFERENCED, flowOf(INPUT), null);
  }
  if (names.length === 0) setVariable(scan, command === "read" ? "REPLY" : "MAPFILE", flowOf(INPUT), null);
}

/**
 * `declare`, `local`, `export` and the like. `-i` evaluates the value,
 * `-n` makes it a name, and `($(reboot))` would run as an array.
 */
function readDeclare(scan: Scan, { name: builtin, args, command, tools }: Call): void {
  const { flows } = scan;
  const options = args.flatMap((it) => (/^-/.test(it.text) ? [it.literal ?? "-inaA"] : [])).join("");
  keepWhole(
    scan,
    args.filter((it) => !it.text.includes("=")),
  );
  for (const word of args) {
    if (/^[-+]/.test(word.text)) {
      forbid(flows, word.flow, DECLARED);
      continue;
    }
    const [, name, key, value] = /^([A-Za-z_]\w*)(\[[\s\S]*?\])?(?:\+?=([\s\S]*))?$/.exec(word.text) ?? [];
    if (name === undefined) {
      forbid(flows, word.flow, NAME);
      if (word.literal === null) {
        // It may be an option.
        forbid(flows, joinFlows(args.map((it) => it.flow)), DECLARED);
        forgetKeys(scan, null);
      }
      continue;
    }
    if (key !== undefined) forbid(flows, word.flow, DECLARED);
    if (value !== undefined) tools.assign(scan, word);
    if (options.includes("i")) {
      markHoles(word.holes, "integer");
      needs(flows, flowOf(name), "operand");
    }
    if (options.includes("n")) refer(scan, name, word);
    if (value !== undefined && word.elements === null) {
      const begins = value.replace(/^["']+/, "");
      if (/a/i.test(options) || begins.startsWith("(")) forbid(flows, word.flow, DECLARED);
      else if (builtin !== "export" && /^[\0$`]/.test(begins)) needs(flows, word.flow, "scalar");
    }
    if (!options.includes("A")) forgetKeys(scan, name);
    else if (command.isPlain) flows.associative.set(name, scan.base + word.start + word.text.length);
  }
}

/** `declare -n name=other`. */
function refer({ flows }: Scan, name: string, word: Word): void {
  forbid(flows, word.flow, NAME);
  const target = word.literal?.replace(/^.*?=/s, "");
  if (target !== undefined && /^[A-Za-z_]\w*$/.test(target)) {
    carry(flows, target, flowOf(name));
    carry(flows, name, flowOf(target));
  } else {
    carry(flows, REFERENCED, flowOf(name));
    carry(flows, name, flowOf(ANYTHING));
  }
}

/** The keys of this array, or of all arrays if `name` is null, may be numbers after all. */
function forgetKeys({ flows }: Scan, name: string | null): void {
  flows.later.unshift(() => (name === null ? flows.associative.clear() : flows.associative.delete(name)));
}

function readSet({ flows, body }: Scan, args: Word[]): void {
  const end = args.findIndex((it) => it.literal === "--" || it.literal === "-");
  const isOption = (it: Word) => it.literal !== null && /^[-+]/.test(it.literal);
  const first = end === -1 ? args.findIndex((it) => !isOption(it)) : end + 1;
  const options = first === -1 ? args : args.slice(0, first);
  const rest = first === -1 ? [] : args.slice(first);
  if (end === -1) forbid(flows, joinFlows(rest.map((it) => it.flow)), notFor("set (without --)"));
  if (options.some((it) => /^[-+][a-zA-Z]*k|^keyword$/.test(it.literal ?? "k"))) flows.isTwisted = true;
  carry(flows, ARGUMENTS, joinFlows(rest.map((it) => it.flow)));
  if (body) carry(flows, `@${body.name}`, joinFlows(rest.map((it) => it.flow)));
}

/** The text that is run must be visible: it is text of the script, or the output of a program that gets no value. */
function readEval(scan: Scan, { args, output, tools }: Call): void {
  forbid(scan.flows, joinFlows(args.map((it) => it.flow)), SCRIPT);
  const isProgram = /^"?\$\(([\w./-]+)(?: [^$`()<>|&;]*)?\)"?$/.exec(args[0]?.text ?? "")?.[1];
  const isOwn =
    isProgram !== undefined && (/^(?:echo|printf|cat|read|eval)$/.test(isProgram) || isShell(isProgram));
  if (args.length === 1 && isProgram !== undefined && !isOwn && !scan.flows.functions.has(isProgram)) return;
  const parts = args.map(skeletonOf);
  // A skeleton with a gap isn't the whole text: what fills the gap could use any variable.
  const isWhole = args.every((it) => it.literal !== null);
  if (!isWhole) forbid(scan.flows, flowOf(ANYTHING, ...argumentNames(scan)), SCRIPT);
  addFlow(output, tools.readNested(scan, parts.includes(null) ? null : parts.join(" "), "here"));
}
