/**
 * The arguments that give Codex our hooks for one run, and nothing else: no file of the person's is changed, and no
 * other hook becomes trusted.
 */
import { canonical, sha256 } from "../../core/text/hash.ts";
import type { LaunchInput } from "../client.ts";
import { AT_ONCE_SECONDS, HOLD_SECONDS, hookCommand } from "../hook-command.ts";

/** The events that we are told about, by the two names that the client has for each. */
const EVENTS = [
  { name: "SessionStart", label: "session_start", seconds: AT_ONCE_SECONDS },
  { name: "PreModelRequest", label: "pre_model_request", seconds: AT_ONCE_SECONDS },
  { name: "UserPromptSubmit", label: "user_prompt_submit", seconds: AT_ONCE_SECONDS },
  { name: "PreToolUse", label: "pre_tool_use", seconds: AT_ONCE_SECONDS },
  { name: "PermissionRequest", label: "permission_request", seconds: HOLD_SECONDS },
  { name: "PostToolUse", label: "post_tool_use", seconds: AT_ONCE_SECONDS },
  { name: "Stop", label: "stop", seconds: AT_ONCE_SECONDS },
] as const;

/** Where the client says that hooks on its command line come from. */
const SOURCE = "/<session-flags>/config.toml";

export function hookArguments(input: Pick<LaunchInput, "hookUrl" | "tokenVariable">): string[] {
  const hooks = EVENTS.map(({ name, label, seconds }) => {
    const command = hookCommand(input, seconds, "never fails");
    const timeout = seconds + 5;
    return {
      flag: `hooks.${name}=[{hooks=[{type="command",command=${quoted(command)},timeout=${timeout}}]}]`,
      trust: `${quoted(`${SOURCE}:${label}:0:0`)}={trusted_hash=${quoted(hashOf(label, command, timeout))}}`,
    };
  });
  const trusted = `hooks.state={${hooks.map((it) => it.trust).join(",")}}`;
  return [...hooks.map((it) => it.flag), trusted].flatMap((it) => ["-c", it]);
}

/** The client runs a hook only if somebody trusts exactly this hook, which it knows by this hash. */
function hashOf(event_name: string, command: string, timeout: number): string {
  const hook = { async: false, command, timeout, type: "command" };
  return `sha256:${sha256(canonical({ event_name, hooks: [hook] }))}`;
}

/** A string of TOML. What JSON escapes, TOML escapes the same way. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
