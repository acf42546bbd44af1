/** How Claude Code is started: how we recognize it in a `run` line, and what we add to that line. */
import type { Launch, LaunchInput } from "../client.ts";
import { guarded } from "../guarded-words.ts";
import { execLine, isOtherUser } from "../run-line.ts";
import { settingsOf } from "./launch-settings.ts";

export function isClaude(word: string): boolean {
  if (/^@anthropic-ai\/claude-code(@[^/]*)?$|\/@anthropic-ai\/claude-code\/cli\.js$/.test(word)) return true;
  return word.split("/").at(-1) === "claude";
}

/** Whether the client is told to print its answer and exit. */
export function endsWithTurn(args: readonly string[]): boolean {
  return args.some((it) => it === "-p" || it === "--print");
}

/**
 * The runbook's line runs in a shell of its own that becomes the client. We add arguments, never text of that line.
 * `mode` is added unless the line names a mode.
 */
export function launch(
  input: LaunchInput,
  isClient: (word: string) => boolean,
  mode: readonly string[],
): Launch {
  const file = `${input.folder}/settings.json`;
  const wanted = settingsOf(input);
  // another user can't read our folders, and the settings hold no secret
  const settings = isOtherUser(input.script, isClient) ? JSON.stringify(wanted) : file;
  const conversation =
    input.resume === null ? ["--session-id", input.conversation] : ["--resume", input.resume];
  const message = input.message === null ? [] : [guarded(input.message)];
  const hasMode = /--permission-mode|--dangerously-skip-permissions/.test(input.script);
  const added = ["--settings", settings, ...conversation, ...(hasMode ? [] : mode), ...message];
  return {
    argv: ["bash", "-c", execLine(input.script), "oj", ...added],
    env: { ...input.values },
    files: { [file]: `${JSON.stringify(wanted, null, 2)}\n` },
    saysMessage: message.length > 0,
  };
}
