/** What follows if a call is not run: the model is told why and goes on, or the turn is over silently. */
import type { ToolCall } from "./hooks/json.ts";
import { keepResult } from "./hooks/transcript.ts";
import type { Flow, Stage } from "./stage.ts";
import { reportCall, say, show, showBelow, tell } from "./stage.ts";

/** `text` is what the model gets, `message` what somebody said. */
export async function denied(
  stage: Stage,
  call: ToolCall,
  {
    by,
    text,
    message = text,
  }: { by: "hook" | "keys" | "pre_tool_use" | "nobody"; text: string; message?: string },
): Promise<Flow> {
  stage.record("denied", { tool: call.name, message, by });
  tell(stage, "message", message);
  if (by === "hook") showBelow(stage, `Denied by PermissionRequest hook: ${message}`);
  else showBelow(stage, `Not run · ${by === "keys" ? "rejected" : "permission denied"}`);
  await reportCall(stage, { call, response: text, text }, true);
  return "branch";
}

/** No hook says so. */
export function interrupted(stage: Stage, call: ToolCall, message: string | null): Flow {
  stage.record("interrupted", { tool: call.name, message });
  keepResult(stage, { call, response: INTERRUPTED, text: INTERRUPTED }, true);
  showBelow(stage, "Interrupted · What should Claude do instead?");
  return "cut";
}

const INTERRUPTED = "[Request interrupted by user for tool use]";

/** Without somebody to ask, the client has no such tool, and no hook is called. */
export function missing(stage: Stage, name: string): Flow {
  const message = `No such tool available: ${name}. ${name} is disabled for this session`;
  stage.record("denied", { tool: name, message, by: "nobody" });
  tell(stage, "message", message);
  if (stage.printing) say(stage, message);
  else show(stage, message);
  return "branch";
}
