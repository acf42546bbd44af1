/**
 * Commands that evaluate their arguments, so that quotes alone don't keep a value from becoming syntax: `let`, the
 * `declare` family, `unset`, `read`, `-v` of `printf` and `test`, `eval`, `trap`, and `-c` of a shell. What a program
 * does with its arguments is its own affair: `ssh`, `awk`, `sed`, `python -c`, `find -exec`, a script on the input of a
 * shell, or a variable that is copied on (`y=$x`) and evaluated later.
 */
import type { Hole, Scan } from "./shell-scan.ts";
import { markHoles, markUse } from "./shell-scan.ts";
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
  const holes = args.flatMap((it) => it.holes);
  switch (name?.text) {
    case "let":
      markHoles(holes, "integer");
      break;
    case "eval":
    case "trap":
      markHoles(holes, "script");
      break;
    case "unset":
      markHoles(holes, "name");
      break;
    case "read":
      markHoles(namesOfRead(args), "name");
      break;
    case "printf":
    case "test":
    case "[":
      markHoles(
        args.flatMap((it, at) => (args[at - 1]?.text === "-v" ? it.holes : [])),
        "name",
      );
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

/** What is set, except through options such as the prompt of `-p`. */
function namesOfRead(args: Word[]): Hole[] {
  return args
    .filter((_, at) => !/^-[a-zA-Z]*[dinNptu]$/.test(args[at - 1]?.text ?? ""))
    .flatMap((it) => it.holes);
}

/** `-i` evaluates the value, `-n` makes it a name, and of an array the value `($(reboot))` would run. */
function markDeclared(scan: Scan, args: Word[]): void {
  const options = args.flatMap((it) => (/^-/.test(it.text) ? [it.text] : [])).join("");
  for (const word of args) {
    const name = /^[A-Za-z_]\w*/.exec(word.text)?.[0];
    const equals = word.text.indexOf("=");
    const isValue = (hole: Hole) => equals !== -1 && hole.start > word.start + equals;
    markHoles(
      word.holes.filter((it) => !isValue(it)),
      "name",
    );
    if (/i/.test(options)) {
      markHoles(word.holes, "integer");
      if (name) markUse(scan, name, "integer");
    } else if (/n/.test(options)) markHoles(word.holes, "name");
    else markHoles(word.holes, /a/i.test(options) ? "script" : "scalar");
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

function remember(scan: Scan, { text, holes }: Word): void {
  const name = /^[A-Za-z_]\w*/.exec(text)?.[0];
  if (name !== undefined && holes.length > 0 && isAssignment(text)) scan.assigned.push({ name, holes });
}
