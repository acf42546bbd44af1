/**
 * Commands of bash that evaluate their arguments, so that quotes alone don't keep a value from becoming syntax: `let`, the
 * `declare` family, all that set a variable by name, `eval`, `trap`, and `-c` of a shell. What other programs make of
 * their arguments or their input is their own affair (`ssh`, `awk`, `sed`, `python -c`, options that begin with "-"), and so
 * is a variable that the script copies on (`y=$x`) and evaluates later.
 */
import type { Hole, Scan } from "./shell-scan.ts";
import { HOLE, markHoles, markUse } from "./shell-scan.ts";
import type { Word } from "./shell-words.ts";
import { isAssignment } from "./shell-words.ts";

/** Marks the holes in the words of one simple command, and remembers which variables it sets from them. */
export function markBuiltins(scan: Scan, words: Word[]): void {
  const first = words.findIndex((it) => !isAssignment(it.text));
  const assignments = first === -1 ? words : words.slice(0, first);
  for (const word of assignments) remember(scan, word);
  if (first === -1) return;

  const command = words.slice(first).filter((it, at) => at > 0 || !/^(?:builtin|command)$/.test(it.text));
  const [name, ...args] = command;
  const holes = holesOf(args);
  const isAfter = (option: RegExp) => (_: Word, at: number) => option.test(args[at - 1]?.text ?? "");
  const isNotAfter = (option: RegExp) => (it: Word, at: number) => !isAfter(option)(it, at);
  switch (name?.text) {
    case "let":
      markHoles(holes, "integer");
      break;
    case "eval":
    case "trap":
      markHoles(holes, "script");
      break;
    case "unset":
    case "wait":
      markHoles(holes, "name");
      break;
    case "read":
      markHoles(holesOf(args.filter(isNotAfter(/^-[a-zA-Z]*[dinNptu]$/))), "name");
      break;
    case "mapfile":
    case "readarray":
      markHoles(holesOf(args.filter(isNotAfter(/^-[a-zA-Z]*[dnOsuc]$/))), "name");
      break;
    case "printf":
      if (args[0] && beginsWithHole(args[0].text)) markHoles(args[0].holes, "format");
      markHoles(holesOf(args.filter(isAfter(/^-v$/))), "name");
      break;
    case "test":
    case "[":
      markHoles(holesOf(args.filter(isAfter(/^-v$/))), "name");
      break;
    case "declare":
    case "typeset":
    case "local":
    case "readonly":
      markDeclared(scan, args);
      break;
    case "export":
      for (const word of args) remember(scan, word);
  }
  markScripts(command);
}

/** `-i` evaluates the value, `-n` makes it a name, and given to an array the value `($(reboot))` would run. */
function markDeclared(scan: Scan, args: Word[]): void {
  const options = args.flatMap((it) => (it.text.startsWith("-") ? [it.text] : [])).join("");
  const need = /i/.test(options)
    ? "integer"
    : /n/.test(options)
      ? "name"
      : /a/i.test(options)
        ? "script"
        : "scalar";
  for (const word of args) {
    const [name = "", value = ""] = word.text.split(/=(.*)/s);
    const inName = word.holes.filter((it) => it.start < word.start + name.length);
    markHoles(inName, "name");
    if (need !== "scalar" || beginsWithHole(value)) markHoles(word.holes, need);
    if (need === "integer") markUse(scan, name, need);
    remember(scan, word);
  }
}

/** `bash -c '…'`, also behind `sudo`, `env` or `xargs`. */
function markScripts(words: Word[]): void {
  words.forEach((word, at) => {
    if (!/^(?:.*\/)?(?:ba|da|a|k|z)?sh$/.test(word.text)) return;
    let next = at + 1;
    while (/^[-+]/.test(words[next]?.text ?? "") || /^[-+]\w*[oO]$/.test(words[next - 1]?.text ?? "")) {
      if (/^-[A-Za-z]*c[A-Za-z]*$/.test(words[next]?.text ?? "")) {
        markHoles(words[next + 1]?.holes ?? [], "script");
        return;
      }
      next++;
    }
  });
}

function beginsWithHole(text: string): boolean {
  return text.replace(/^["']+/, "").startsWith(HOLE);
}

function holesOf(words: Word[]): Hole[] {
  return words.flatMap((it) => it.holes);
}

function remember(scan: Scan, { text, holes }: Word): void {
  const name = /^[A-Za-z_]\w*/.exec(text)?.[0];
  if (name !== undefined && holes.length > 0 && isAssignment(text)) scan.assigned.push({ name, holes });
}
