/** Which program a `run` line starts, and with which arguments, whatever people put before it. */
import { lineWords } from "../core/text/line-words.ts";

/** Programs that start what comes after them, with those of their options that take a value. */
const BEFORE: Record<string, readonly string[]> = {
  exec: ["-a"],
  env: ["-u", "--unset", "-C", "--chdir"],
  nohup: [],
  nice: ["-n"],
  caffeinate: ["-t", "-w"],
  npx: ["-p", "--package"],
  bunx: [],
  node: ["-r", "--require", "--import"],
  sudo: [
    "-u",
    "--user",
    "-g",
    "--group",
    "-D",
    "--chdir",
    "-p",
    "--prompt",
    "-C",
    "-h",
    "-r",
    "-t",
    "-T",
    "-R",
    "-U",
  ],
  doas: ["-u", "-C"],
  runuser: ["-u", "--user", "-g", "--group", "-G", "--supp-group"],
};
/** Those of them that start it as another user. */
const OTHER_USER: readonly string[] = ["sudo", "doas", "runuser"];
/** Package managers that start what comes after one of these words. */
const TOLD: Record<string, readonly string[]> = {
  npm: ["exec", "x"],
  pnpm: ["dlx", "exec"],
  yarn: ["dlx", "exec"],
  bun: ["x"],
};

/** What `find` returns for the first word it knows, among the words that can be the program, and the words after it. */
export function startedBy<T>(
  run: string,
  find: (word: string, args: readonly string[]) => T | undefined,
): { found: T; args: string[] } | null {
  const words = lineWords(run);
  let at = 0;
  while (at < words.length) {
    const word = words[at] ?? "";
    if (/^[A-Za-z_]\w*=/.test(word)) {
      at++;
      continue;
    }
    const found = find(word, words.slice(at + 1));
    if (found !== undefined) return { found, args: words.slice(at + 1) };
    const name = word.split("/").at(-1) ?? "";
    const isTold = TOLD[name]?.includes(words[at + 1] ?? "") ?? false;
    const valued = isTold ? ["-p", "--package"] : BEFORE[name];
    if (!valued) break;
    at = afterOptions(words, at + (isTold ? 2 : 1), valued);
  }
  return null;
}

/** Whether the client runs as another user, who can't read what is in our folders. */
export function isOtherUser(run: string, isClient: (word: string) => boolean): boolean {
  const words = lineWords(run);
  const client = words.findIndex(isClient);
  return words.slice(0, Math.max(0, client)).some((it) => OTHER_USER.includes(it.split("/").at(-1) ?? ""));
}

function afterOptions(words: readonly string[], from: number, valued: readonly string[]): number {
  let at = from;
  while (words[at]?.startsWith("-")) {
    const word = words[at++] ?? "";
    if (word === "--") break;
    if (valued.includes(word)) at++;
  }
  return at;
}

/**
 * The line is one command (see `startedBy`), after the part that un-exports its values. `exec` makes the client the
 * terminal's process.
 */
export function execLine(script: string): string {
  const [, prologue = "", line = ""] = /^(export -n [^;\n]*; )?([\s\S]*)$/.exec(script) ?? [];
  const command = line.trim().replace(/^exec\s+/, "");
  const setter = /^[A-Za-z_]\w*=/.test(command) ? "env " : ""; // `exec A=1 program` looks for a program called "A=1"
  return `${prologue}exec ${setter}${command} "$@"`;
}
