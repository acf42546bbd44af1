/** What programs do with the values among their arguments, where that is more than taking them as text. */

import type { Call, Command } from "./call.ts";
import { readsScript } from "./call.ts";
import { COMMAND, programText, REMOTE, SCRIPT, SPLIT } from "./faults.ts";
import type { Word } from "./flow.ts";
import { addFlow, carry, forbid, joinFlows, needs } from "./flow.ts";
import { isAwk, isInterpreter, isShell, JOINERS, PREFIXES } from "./known.ts";
import { skeletonOf } from "./literal.ts";
import type { Scan } from "./scan.ts";
import { ARGUMENTS, keepTogether } from "./scan.ts";
import { isAssignment } from "./words.ts";

export function readProgram(scan: Scan, call: Call): void {
  const { name, args, command, output, tools } = call;
  const { flows } = scan;
  const all = joinFlows(args.map((it) => it.flow));
  if (isShell(name)) readShell(scan, call);
  else if (isInterpreter(name)) readInterpreter(scan, name, args, command);
  else if (isAwk(name) || /^(?:g?sed|jq)$/.test(name)) readFilter(scan, name, args);
  else if (Object.hasOwn(PREFIXES, name)) readPrefix(scan, call);
  else if (name === "ssh") readSsh(scan, args, command);
  else if (JOINERS.has(name)) {
    forbid(flows, all, REMOTE);
    if (/^(?:at|batch|parallel)$/.test(name)) readsScript(scan, call);
  } else if (/^g?make$/.test(name)) {
    // Make expands $(shell …) in a variable, and its recipes are lines of shell.
    for (const word of args) needs(flows, word.flow, "word");
  } else {
    const starts = name === "find" ? /^-(?:exec|ok)(?:dir)?$/ : null;
    args.forEach((word, at) => {
      const isInner = starts ? starts.test(args[at - 1]?.literal ?? "") : isShellWith(args, at);
      if (isInner) tools.readCall(scan, args.slice(at), command, output);
      else if (starts && word.holes.length > 0) keepTogether(word.holes);
    });
  }
}

/** `docker exec box sh -c …`: a shell with a script, after a program that we don't know. */
function isShellWith(args: Word[], at: number): boolean {
  const name = args[at]?.literal?.replace(/^.*\//s, "");
  return name !== undefined && isShell(name) && /^-\w*c/.test(args[at + 1]?.text ?? "");
}

/** `sudo`, `env`, `xargs`, `command`: the command that they run begins after their options. */
export function readPrefix(scan: Scan, { name, args, command, output, tools }: Call): void {
  const { flows } = scan;
  const { taking = "", operands = 0 } = PREFIXES[name] ?? {};
  let at = skipOptions(scan, args, taking);
  const options = args.slice(0, at);
  if (name === "env" && options.some((it) => /^-\w*S|^--split/.test(it.text)))
    forbid(flows, joinFlows(args.map((it) => it.flow)), SCRIPT);
  if (name === "env" || name === "sudo" || name === "doas")
    while (isAssignment(args[at]?.text ?? "")) tools.assign(scan, args[at++] as Word);
  for (let count = 0; count < operands; count++, at++) wholeWord(scan, args[at]);
  placesOf(scan, args, at);
  const inner = args.slice(at);
  tools.readCall(scan, inner, command, output);
  if (name !== "xargs" || !inner[0]) return;
  const program = inner[0].literal?.replace(/^.*\//s, "") ?? "sh";
  if (isShell(program) || isInterpreter(program) || JOINERS.has(program) || program === "ssh")
    if (inner.length < 3 || options.some((it) => /^-\w*[Ii]|^--replace/.test(it.text)))
      forbid(flows, command.input, SCRIPT);
}

/**
 * The index of the first word that is not an option. An option
 * that is not constant must begin with "-" and stay one word.
 */
function skipOptions(scan: Scan, args: Word[], taking: string): number {
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at] as Word;
    if (word.literal === "--") return at + 1;
    if (!/^["']?-./.test(word.text)) return at;
    wholeWord(scan, word);
    const last = /^-\w*(\w)$/.exec(word.literal ?? "")?.[1];
    if (last !== undefined && taking.includes(last)) wholeWord(scan, args[++at]);
  }
  return at;
}

function wholeWord({ flows }: Scan, word: Word | undefined): void {
  if (!word) return;
  keepTogether(word.holes);
  if (word.splits) forbid(flows, word.flow, SPLIT);
}

/**
 * The positions of a command's first words matter: a word that may become several, or none, shifts all words after it.
 */
function placesOf({ flows }: Scan, args: Word[], end: number): void {
  const unsure = args.slice(0, end).findIndex((it) => it.splits);
  if (unsure !== -1) forbid(flows, joinFlows(args.slice(unsure).map((it) => it.flow)), SPLIT);
}

/** `bash -c script name arguments`, `bash file arguments`, or a script on its input. */
function readShell(scan: Scan, call: Call): void {
  const { args, output, tools } = call;
  const { flows } = scan;
  let hasScript = false;
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at] as Word;
    if (word.literal === "--" || word.literal === "-") {
      at++;
      break;
    }
    if (!/^["'\\]?[-+]/.test(word.text)) break;
    if (word.literal === null) {
      forbid(flows, joinFlows(args.slice(at).map((it) => it.flow)), SCRIPT);
      return;
    }
    if (/^-[A-Za-z]*c/.test(word.literal)) hasScript = true;
    if (/^[-+]\w*[oO]$|^--(?:rcfile|init-file)$/.test(word.literal))
      forbid(flows, args[++at]?.flow ?? word.flow, SCRIPT);
  }
  placesOf(scan, args, at + 1);
  const [script, ...rest] = args.slice(at);
  carry(flows, ARGUMENTS, joinFlows(rest.map((it) => it.flow)));
  if (hasScript && script) {
    forbid(flows, script.flow, SCRIPT);
    wholeWord(scan, script);
    addFlow(output, tools.readNested(scan, skeletonOf(script), "elsewhere"));
  } else if (script && !args.slice(0, at).some((it) => /^-\w*s/.test(it.literal ?? ""))) {
    chooseFile(scan, script);
    if (/^\/dev\/(?:stdin|fd\/)/.test(script.literal ?? "")) readsScript(scan, call);
  } else readsScript(scan, call);
}

/** A value may be part of a path to a program, not all of it. */
function chooseFile({ flows }: Scan, word: Word): void {
  const before = /^[^$`\0<>]*/.exec(word.text)?.[0] ?? "";
  const isOwn = [...word.flow.names].length === 0 && before.includes("/");
  if (!isOwn) forbid(flows, word.flow, COMMAND);
  keepTogether(word.holes);
}

/** `python -c program arguments`, `node file arguments`, or a program on the input. */
function readInterpreter(scan: Scan, name: string, args: Word[], command: Command): void {
  const { flows } = scan;
  const fault = programText(name);
  let hasProgram = false;
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as Word;
    const isOption = /^["'\\]?-./.test(word.text);
    if (word.splits) placesOf(scan, args, at + 1);
    if (!isOption) {
      if (!hasProgram && word.literal !== "-") chooseFile(scan, word);
      if (word.literal === "-") forbid(flows, command.input, fault);
      return;
    }
    forbid(flows, word.flow, fault);
    if (!/^-\w*[ceErpm]$|^--(?:eval|print|require|import)$/.test(word.literal ?? "-c")) continue;
    hasProgram = true;
    const program = args[++at];
    if (program) {
      forbid(flows, program.flow, fault);
      placesOf(scan, args, at + 1);
    }
  }
  if (!hasProgram) forbid(flows, command.input, fault);
}

/**
 * awk, sed and jq, whose small programs often contain a value. Plain words are fine; for sed, only where it takes text.
 */
function readFilter(scan: Scan, name: string, args: Word[]): void {
  const { flows } = scan;
  const taking = isAwk(name) ? "vFf" : name === "jq" ? "fL" : "efls";
  let hasProgram = false;
  const program = (word: Word | undefined) => {
    hasProgram = true;
    if (!word) return;
    wholeWord(scan, word);
    if (/sed$/.test(name) && !isSedText(word)) forbid(flows, word.flow, programText(name));
    else needs(flows, word.flow, "plain");
  };
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as Word;
    if (!hasProgram || /^["'\\]?-./.test(word.text)) placesOf(scan, args, at + 1);
    if (!/^["'\\]?-./.test(word.text)) {
      if (hasProgram) return; // files
      program(word);
      continue;
    }
    wholeWord(scan, word);
    if (word.literal === null) forbid(flows, word.flow, programText(name));
    if (/^--(?:arg|argjson|slurpfile|rawfile)$/.test(word.literal ?? "")) {
      for (const it of args.slice(at + 1, at + 3)) wholeWord(scan, it);
      at += 2;
      continue;
    }
    const option = word.literal === "--expression" ? "e" : /^-\w*(\w)$/.exec(word.literal ?? "")?.[1];
    if (option === undefined || !taking.includes(option)) continue;
    const argument = args[++at];
    placesOf(scan, args, at + 1);
    if (option === "e") program(argument);
    else if (option === "f" && argument) {
      hasProgram = true;
      chooseFile(scan, argument);
    } else if (option === "v" && argument && !isAssignment(argument.text.replace(/^["']/, "")))
      forbid(flows, argument.flow, programText(name));
    wholeWord(scan, argument);
  }
}

/**
 * Whether all values are within the pattern or the text of an `s/…/…/`,
 * or in a `/…/` that selects lines. Elsewhere a letter is a command.
 */
function isSedText(word: Word): boolean {
  return word.spans.every(([start]) => {
    const before = word.text.slice(0, start - word.start).replace(/\\./gs, "");
    const part = /(?:^["']*|[;\n{])\s*(?:[\d$]+(?:,[\d$]+)?)?([^;\n{]*)$/.exec(before)?.[1] ?? "";
    const [, mark] = /^s([/|#,:@%!~^+])/.exec(part) ?? [];
    if (mark !== undefined) return part.split(mark).length <= 3;
    return part.startsWith("/") && part.split("/").length === 2;
  });
}

/** What follows the host is a command line for a shell there; without one, the input is. */
function readSsh(scan: Scan, args: Word[], command: Command): void {
  const { flows } = scan;
  const at = skipOptions(scan, args, "bcDEeFIiJLlmOopQRSWwB");
  const options = args.slice(0, at);
  options.forEach((word, index) => {
    const isSetting = /^-\w*[oF]$/.test(options[index - 1]?.literal ?? "") || /^-\w*[oF]/.test(word.text);
    if (isSetting) forbid(flows, word.flow, REMOTE);
  });
  placesOf(scan, args, at);
  const [host, ...line] = args.slice(at);
  wholeWord(scan, host);
  if (host) needs(flows, host.flow, "undashed");
  forbid(flows, joinFlows(line.map((it) => it.flow)), REMOTE);
  if (line.length === 0) forbid(flows, command.input, REMOTE);
}
