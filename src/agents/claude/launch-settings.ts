/** The settings file that an agent's client is started with: which hooks it calls, and how. */
import type { LaunchInput } from "../client.ts";
import { AT_ONCE_SECONDS, HOLD_SECONDS, hookCommand } from "../hook-command.ts";

/** Hooks report over HTTP, which starts no process, or with curl if HTTP hooks are refused. */
export function settingsOf(input: LaunchInput): object {
  const by = input.hooks === "http" ? http : command;
  const soon = [by(input, AT_ONCE_SECONDS)];
  return {
    showClearContextOnPlanAccept: true,
    hooks: {
      SessionStart: [command(input, AT_ONCE_SECONDS)], // the client has no HTTP hooks for this event
      UserPromptSubmit: soon,
      PreToolUse: soon,
      PostToolUse: soon,
      PostToolBatch: soon,
      PermissionRequest: [by(input, HOLD_SECONDS)],
      Stop: soon,
      StopFailure: soon,
      // no SessionEnd: we see that a client ends anyway, and it would wait for our reply, and complain if that is late
    },
  };
}

type Given = Pick<LaunchInput, "hookUrl" | "tokenVariable">;

function http({ hookUrl, tokenVariable }: Given, timeout: number): object {
  const headers = { "x-oj-agent-token": `$${tokenVariable}` };
  return { hooks: [{ type: "http", url: hookUrl, headers, allowedEnvVars: [tokenVariable], timeout }] };
}

function command(input: Given, seconds: number): object {
  return { hooks: [{ type: "command", command: hookCommand(input, seconds, "exec"), timeout: seconds + 5 }] };
}
