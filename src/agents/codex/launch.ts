/** How Codex is started: how we recognize it in a `run` line, and what we add to that line. */
import type { Launch, LaunchInput } from "../client.ts";
import { execLine, startedBy } from "../run-line.ts";
import { hookArguments } from "./launch-hooks.ts";
import { guarded } from "./terminal/words.ts";

export function isCodex(word: string): boolean {
  if (/^@openai\/codex(@[^/]*)?$|\/@openai\/codex\/bin\/codex\.js$/.test(word)) return true;
  return word.split("/").at(-1) === "codex";
}

/** Whether the client is told to print its answer and exit: `codex exec`. */
export function endsWithTurn(args: readonly string[]): boolean {
  return args.some((it) => it === "exec" || it === "e");
}

/**
 * The runbook's line runs in a shell of its own that becomes the client. We add arguments, never text of that line.
 * Otherwise the terminal would only show a conversation that lives in a server shared by all of the person's sessions,
 * which knows nothing of our hooks' token: `--no-daemon`. `codex exec` has no such server.
 */
export function launch(input: LaunchInput): Launch {
  const args = startedBy(input.script, (word) => (isCodex(word) ? word : undefined))?.args ?? [];
  const alone = endsWithTurn(args) || input.script.includes("--no-daemon") ? [] : ["--no-daemon"];
  const resumed = input.resume === null ? [] : ["resume", input.resume];
  const message = input.message === null ? [] : ["--", guarded(input.message)];
  return {
    argv: [
      "bash",
      "-c",
      execLine(input.script),
      "oj",
      ...resumed,
      ...alone,
      ...hookArguments(input),
      ...message,
    ],
    env: { ...input.values },
    files: {},
    saysMessage: message.length > 0,
  };
}
