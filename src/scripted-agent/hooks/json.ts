/** The JSON of each hook, as Claude Code 2.1.325 sends it, and what its output may say. Pure. */

export type Json = Record<string, unknown>;

/** What every hook has. */
export interface Common {
  session_id: string;
  transcript_path: string;
  cwd: string;
  prompt_id: string | null;
  permission_mode: string;
}

export interface ToolCall {
  name: string;
  input: Json;
  id: string;
}

export interface CallResult {
  call: ToolCall;
  /** For the hook of the tool itself. */
  response: unknown;
  /** For the model. */
  text: string;
  /** What the tool ran with, if that is not what the model asked for. */
  input?: Json;
}

export function sessionStart({ session_id, transcript_path, cwd }: Common, source: string): Json {
  return { session_id, transcript_path, cwd, hook_event_name: "SessionStart", source, model: "scripted" };
}

export function userPromptSubmit(common: Common, prompt: string): Json {
  return { ...headOf(common), hook_event_name: "UserPromptSubmit", prompt };
}

export function preToolUse(common: Common, { name, input, id }: ToolCall): Json {
  return {
    ...headOf(common),
    hook_event_name: "PreToolUse",
    tool_name: name,
    tool_input: input,
    tool_use_id: id,
  };
}

/** Has no tool use id. */
export function permissionRequest(common: Common, { name, input }: ToolCall): Json {
  const suggestions = suggestionsFor(name, common.cwd);
  return {
    ...headOf(common),
    hook_event_name: "PermissionRequest",
    tool_name: name,
    tool_input: input,
    ...(suggestions.length > 0 ? { permission_suggestions: suggestions } : {}),
  };
}

export function postToolUse(
  common: Common,
  { call, response, input }: CallResult,
  duration_ms: number,
): Json {
  return {
    ...headOf(common),
    hook_event_name: "PostToolUse",
    tool_name: call.name,
    tool_input: input ?? call.input,
    tool_response: response,
    tool_use_id: call.id,
    duration_ms,
  };
}

export function postToolBatch(common: Common, results: CallResult[]): Json {
  const tool_calls = results.map(({ call, text }) => ({
    tool_name: call.name,
    tool_input: call.input,
    tool_use_id: call.id,
    tool_response: text,
  }));
  return { ...headOf(common), hook_event_name: "PostToolBatch", tool_calls };
}

export function stop(common: Common, given: { active: boolean; last: string; tasks: Json[] }): Json {
  return {
    ...headOf(common),
    hook_event_name: "Stop",
    stop_hook_active: given.active,
    last_assistant_message: given.last,
    background_tasks: given.tasks,
    session_crons: [],
  };
}

export function stopFailure(common: Common, error: string, message: string): Json {
  return { ...headOf(common), hook_event_name: "StopFailure", error, last_assistant_message: message };
}

export function notification(
  { session_id, transcript_path, cwd }: Common,
  type: string,
  message: string,
): Json {
  return {
    session_id,
    transcript_path,
    cwd,
    hook_event_name: "Notification",
    message,
    notification_type: type,
  };
}

export function sessionEnd({ session_id, transcript_path, cwd }: Common, reason: string): Json {
  return { session_id, transcript_path, cwd, hook_event_name: "SessionEnd", reason };
}

export function taskNotification(id: string, name: string): string {
  return `<task-notification>\n<task-id>${id}</task-id>\n<status>completed</status>\n<summary>Background command "${name}" completed (exit code 0)</summary>\n</task-notification>`;
}

function headOf({ session_id, transcript_path, cwd, prompt_id, permission_mode }: Common): Json {
  return { session_id, transcript_path, cwd, ...(prompt_id === null ? {} : { prompt_id }), permission_mode };
}

function suggestionsFor(name: string, cwd: string): Json[] {
  const edits = { type: "setMode", mode: "acceptEdits", destination: "session" };
  if (name === "Bash") return [{ type: "addDirectories", directories: [cwd], destination: "session" }, edits];
  return name === "Write" || name === "Edit" ? [edits] : [];
}

export interface Permission {
  allow: boolean;
  /** Without it, allowing a question or a plan does nothing. */
  input: Json | null;
  mode: string | null;
  /** Never ask for this tool again. */
  always: boolean;
  message: string | null;
  interrupt: boolean;
}

export function permissionOf(output: Json): Permission | null {
  const decision = specific(output, "PermissionRequest").decision;
  if (!isObject(decision) || (decision.behavior !== "allow" && decision.behavior !== "deny")) return null;
  const updates = Array.isArray(decision.updatedPermissions)
    ? decision.updatedPermissions.filter(isObject)
    : [];
  const mode = updates.find((it) => it.type === "setMode")?.mode;
  return {
    allow: decision.behavior === "allow",
    input: isObject(decision.updatedInput) ? decision.updatedInput : null,
    mode: typeof mode === "string" ? mode : null,
    always: updates.some((it) => it.type === "addRules"),
    message: typeof decision.message === "string" ? decision.message : null,
    interrupt: decision.interrupt === true,
  };
}

export function beforeTool(output: Json): {
  decision: "allow" | "deny" | "ask" | null;
  reason: string;
  input: Json | null;
} {
  const {
    permissionDecision: given,
    permissionDecisionReason: reason,
    updatedInput,
  } = specific(output, "PreToolUse");
  const decision =
    given === "allow" || given === "deny" || given === "ask"
      ? given
      : output.decision === "block"
        ? "deny"
        : null;
  return {
    decision,
    reason: typeof reason === "string" ? reason : typeof output.reason === "string" ? output.reason : "",
    input: isObject(updatedInput) ? updatedInput : null,
  };
}

/** Why the agent is sent back, or null. */
export function blockOf(output: Json): string | null {
  if (output.decision !== "block") return null;
  return typeof output.reason === "string" ? output.reason : "";
}

export function contextOf(output: Json, event: string): string | null {
  const { additionalContext } = specific(output, event);
  return typeof additionalContext === "string" && additionalContext !== "" ? additionalContext : null;
}

function specific(output: Json, event: string): Json {
  const given = output.hookSpecificOutput;
  return isObject(given) && given.hookEventName === event ? given : {};
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
