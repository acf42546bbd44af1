/** What the JSON of a Codex hook means. Everything in it is hostile until it is read here. */
import type { CallEnd } from "../../core/agent/dialog.ts";
import type { Prompt } from "../../core/model/agent-types.ts";
import { Refusal } from "../../core/model/errors.ts";
import { canonical, sha256 } from "../../core/text/hash.ts";
import type { HookMeaning, Seen } from "../client.ts";
import { unguarded } from "../guarded-words.ts";
import { refusing, telling } from "../hook-output.ts";
import type { Json } from "../json-value.ts";
import { isObject, text } from "../json-value.ts";
import { answersIn, QUESTION_TOOL, questionsOf } from "./questions.ts";

/** Refuses what makes no sense. Ignores events that we don't know: the next version of the client may have more. */
export function readHook(hook: unknown): HookMeaning {
  if (!isObject(hook)) throw malformed("a report must be a JSON object");
  if (text(hook.hook_event_name) === "") throw malformed("hook_event_name is missing");
  const subagent = text(hook.agent_id) !== "";
  const id = text(hook.session_id);
  const isNew = hook.hook_event_name === "SessionStart" && hook.source === "startup"; // nothing to resume yet
  const nothing: HookMeaning = {
    conversation:
      subagent || isNew || id === "" ? null : { id, transcript: text(hook.transcript_path) || null },
    seen: [],
    staysOpen: false,
    tool: null,
    prime: null,
    tell: null,
    hears: false,
    reads: false,
    turn: subagent ? null : "begun", // what a subagent does says nothing about the agent that started it
  };
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
function keyOf(hook: Json): string {
  const { description: _, ...input } = isObject(hook.tool_input) ? hook.tool_input : {};
  return `${text(hook.tool_name)}:${sha256(canonical(input)).slice(0, 16)}`;
}

/** What an approval is bound to: the tool and its exact input. */
function hashOf({ tool_name, tool_input }: Json): string {
  return sha256(canonical({ tool: text(tool_name), input: tool_input }));
}

/** A call has run, whether it succeeded or not. The client reports no call that was refused. */
function endOf(call: Json): Seen[] {
  const end: CallEnd = { ran: true, ...answersIn(call.tool_input, call.tool_response) };
  const use = text(call.tool_use_id);
  const byName: Seen = { type: "answered", key: keyOf(call), ...end };
  return use === "" ? [byName] : [{ type: "answered", key: use, ...end }, byName];
}

function checkCall(hook: Json): void {
  const event = text(hook.hook_event_name);
  if (text(hook.tool_name) === "") throw malformed(`${event} has no tool_name`);
  if (!isObject(hook.tool_input)) throw malformed(`the tool_input of ${event} is not an object`);
}

function malformed(what: string): Refusal {
  return new Refusal("request.invalid", what);
}

function primeOf(source: unknown): HookMeaning["prime"] {
  return source === "startup" || source === "resume" || source === "clear" || source === "compact"
    ? source
    : null;
}
