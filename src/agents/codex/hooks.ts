/** What the JSON of a Codex hook means. Everything in it is hostile until it is read here. */
import type { CallEnd } from "../../core/agent/dialog.ts";
import type { Prompt } from "../../core/model/agent-types.ts";
import { canonical, sha256 } from "../../core/text/hash.ts";
import type { HookMeaning, Seen } from "../client.ts";
import { unguarded } from "../guarded-words.ts";
import { atWork, checkCall, ended, hashOf, malformed, primeOf, reportIn } from "../hook-input.ts";
import { refusing, telling } from "../hook-output.ts";
import type { Json } from "../json-value.ts";
import { isObject, text } from "../json-value.ts";
import { answersIn, QUESTION_TOOL, questionsOf } from "./questions.ts";

/** Refuses what makes no sense. Ignores events that we don't know: the next version of the client may have more. */
export function readHook(given: unknown): HookMeaning {
  const hook = reportIn(given);
  const subagent = text(hook.agent_id) !== "";
  const id = text(hook.session_id);
  const isNew = hook.hook_event_name === "SessionStart" && hook.source === "startup"; // nothing to resume yet
  const nothing = atWork(
    subagent || isNew || id === "" ? null : { id, transcript: text(hook.transcript_path) || null },
    subagent,
  );
  switch (hook.hook_event_name) {
    case "SessionStart":
      return {
        ...nothing,
        turn: "ready",
        prime: primeOf(hook.source),
        tell: telling("SessionStart"),
        hears: hook.source === "clear", // otherwise it was started with everything it has to be told
      };
    case "UserPromptSubmit":
      return { ...nothing, seen: [{ type: "submitted", text: unguarded(text(hook.prompt)) }] };
    case "PreToolUse":
      if (text(hook.tool_use_id) === "") throw malformed("PreToolUse has no tool_use_id");
      checkCall(hook);
      return { ...nothing, tool: { use: text(hook.tool_use_id), key: keyOf(hook), refuse: refusing } };
    case "PermissionRequest":
      checkCall(hook);
      return { ...nothing, seen: [{ type: "prompted", prompt: promptOf(hook) }], staysOpen: true };
    case "PostToolUse":
      return { ...nothing, seen: endOf(hook), tell: telling("PostToolUse"), hears: !subagent };
    case "PreModelRequest":
      return { ...nothing, reads: !subagent };
    case "Stop":
      if (subagent) return nothing;
      return { ...nothing, seen: [{ type: "stopped", last_message: text(hook.last_assistant_message) }] };
    default:
      return nothing;
  }
}

/** A dialog is first named by what it asks; the daemon finds the call it is about and names it by the call's id. */
export function promptOf(hook: Json): Prompt {
  const tool = text(hook.tool_name);
  const input = hook.tool_input;
  const questions = tool === QUESTION_TOOL ? questionsOf(input) : [];
  return {
    key: keyOf(hook),
    kind: questions.length > 0 ? "question" : "approval",
    tool,
    input,
    sha256: hashOf(hook),
    questions,
    choices: [],
  };
}

/** The name of a call, as its hooks would give it. */
export function callName(tool: string, input: unknown): string {
  return keyOf({ tool_name: tool, tool_input: input });
}

/** The model's reason is only in the request for permission. It is not part of what runs. */
export function keyOf(hook: Json): string {
  const { description: _, ...input } = isObject(hook.tool_input) ? hook.tool_input : {};
  return `${text(hook.tool_name)}:${sha256(canonical(input)).slice(0, 16)}`;
}

/** A call has run, whether it succeeded or not. The client reports no call that was refused. */
function endOf(call: Json): Seen[] {
  const end: CallEnd = { ran: true, ...answersIn(call.tool_input, call.tool_response) };
  return ended(call, keyOf(call), end);
}
