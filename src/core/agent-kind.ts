/** Which client a `run` line starts, and what the client itself is told: seen through what people put before it. */
import type { Agent, AgentKind } from "./agent-types.ts";

export interface ClientLine {
  kind: AgentKind;
  /** The words behind the client's own name; of another program none, as nothing is known of them. */
  args: string[];
}

/** Programs that start what comes after them, with their options that take a word of their own. */
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
/** Those of them that make it somebody else. */
const OTHER_USER: readonly string[] = ["sudo", "doas", "runuser"];
/** Package managers that do so when they are told to. */
const TOLD: Record<string, readonly string[]> = {
  npm: ["exec", "x"],
  pnpm: ["dlx", "exec"],
  yarn: ["dlx", "exec"],
  bun: ["x"],
};

export function clientLine(run: string): ClientLine {
  const words = wordsOf(run);
  let at = 0;
  while (at < words.length) {
    const word = words[at] ?? "";
    if (/^[A-Za-z_]\w*=/.test(word)) {
      at++;
      continue;
    }
    const kind = kindOf(word);
    if (kind) return { kind, args: words.slice(at + 1) };
    const name = word.split("/").at(-1) ?? "";
    const isTold = TOLD[name]?.includes(words[at + 1] ?? "") ?? false;
    const valued = isTold ? ["-p", "--package"] : BEFORE[name];
    if (!valued) break;
    at = afterOptions(words, at + (isTold ? 2 : 1), valued);
  }
  return { kind: "program", args: [] };
}

/** Whether the client runs as another user: what is in our folders it can't read. */
export function isOtherUser(run: string): boolean {
  const words = wordsOf(run);
  const client = words.findIndex((it) => kindOf(it) !== null);
  return words.slice(0, Math.max(0, client)).some((it) => OTHER_USER.includes(it.split("/").at(-1) ?? ""));
}

/** A client that was told to print (`-p`) ends with its turn: it never waits for words, and a good end means that it is done. */
export function endsWithTurn({ def }: Pick<Agent, "def">): boolean {
  return clientLine(def.run).args.some((it) => it === "-p" || it === "--print");
}

/** By a path, by its package with or without a version, or by the script that the package holds. */
function kindOf(word: string): AgentKind | null {
  if (/^@anthropic-ai\/claude-code(@[^/]*)?$|\/@anthropic-ai\/claude-code\/cli\.js$/.test(word))
    return "claude-code";
  const name = word.split("/").at(-1);
  if (name === "claude") return "claude-code";
  return name === "oj-agent" ? "scripted" : null;
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

/** The words of a line as the shell cuts them; enough for what stands at its beginning. */
function wordsOf(run: string): string[] {
  const words = run.trim().match(/(?:[^\s"'\\]|\\[\s\S]|"(?:[^"\\]|\\[\s\S])*"|'[^']*')+/g) ?? [];
  return words.map((it) => it.replace(/\\([\s\S])|["']/g, "$1"));
}
