/** The settings file that an agent's client is started with: which hooks it calls, and how. */
import type { LaunchInput } from "../client.ts";

/** A person may take days, and the client gives a hook as long as its settings say. */
const HOLD_SECONDS = 7 * 86_400;
const AT_ONCE_SECONDS = 10;

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
      SessionEnd: soon,
    },
  };
}

type Given = Pick<LaunchInput, "hookUrl" | "tokenVariable">;

function http({ hookUrl, tokenVariable }: Given, timeout: number): object {
  const headers = { "x-oj-agent-token": `$${tokenVariable}` };
  return { hooks: [{ type: "http", url: hookUrl, headers, allowedEnvVars: [tokenVariable], timeout }] };
}

/**
 * `exec`: the client cancels a hook by ending its process, and that process must be curl. The token goes in through a
 * file descriptor, because everybody on the machine can see a program's arguments.
 */
function command({ hookUrl, tokenVariable }: Given, seconds: number): object {
  const curl = `exec curl --silent --fail --max-time ${seconds} -H @/dev/fd/3 -H "content-type: application/json" --data-binary @- ${hookUrl} 3<<TOKEN`;
  const script = [curl, `x-oj-agent-token: $${tokenVariable}`, "TOKEN", ""].join("\n");
  return { hooks: [{ type: "command", command: script, timeout: seconds + 5 }] };
}
