/** The settings file that an agent's client is started with: which hooks it calls, and how. */
import type { LaunchInput } from "../client.ts";

/** A person may take days: the client gives a hook as long as its settings say. */
const HOLD_SECONDS = 7 * 86_400;
const AT_ONCE_SECONDS = 10;

/** By HTTP, which starts no process; where that is refused, by curl. */
export function settingsOf(input: LaunchInput): object {
  const by = input.hooks === "http" ? http : command;
  const soon = [by(input, AT_ONCE_SECONDS)];
  return {
    showClearContextOnPlanAccept: true,
    hooks: {
      SessionStart: [command(input, AT_ONCE_SECONDS)], // HTTP is not offered there
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
 * `exec`: the client ends a hook that is not wanted any more by ending its process, and that must be curl. The token goes in by a
 * descriptor, as everybody on the machine may see a program's arguments.
 */
function command({ hookUrl, tokenVariable }: Given, seconds: number): object {
  const curl = `exec curl --silent --fail --max-time ${seconds} -H @/dev/fd/3 -H "content-type: application/json" --data-binary @- ${hookUrl} 3<<TOKEN`;
  const script = [curl, `x-oj-agent-token: $${tokenVariable}`, "TOKEN", ""].join("\n");
  return { hooks: [{ type: "command", command: script, timeout: seconds + 5 }] };
}
