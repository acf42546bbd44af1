/** The JSON that hooks of Claude Code report, and those of clients that took over its form: what is the same in all of them. */
import type { CallEnd } from "../core/agent/dialog.ts";
import { Refusal } from "../core/model/errors.ts";
import { canonical, sha256 } from "../core/text/hash.ts";
import type { HookMeaning, Seen } from "./client.ts";
import type { Json } from "./json-value.ts";
import { isObject, text } from "./json-value.ts";
import type { SessionNews } from "./session-door.ts";

export function reportIn(hook: unknown): Json {
  if (!isObject(hook)) throw malformed("a report must be a JSON object");
  if (text(hook.hook_event_name) === "") throw malformed("hook_event_name is missing");
  return hook;
}

const TURNS = new Map<unknown, SessionNews["what"]>([
  ["SessionStart", "started"],
  ["UserPromptSubmit", "prompted"],
  ["PermissionRequest", "asked"],
  ["PostToolUse", "ran"],
  ["Stop", "stopped"],
]);

/** What a report says about the turns of a session. */
export function turnOf(hook: Json): SessionNews["what"] {
  return TURNS.get(hook.hook_event_name) ?? "other";
}

/** A report that says only that the agent is at work. */
export function atWork(conversation: HookMeaning["conversation"], subagent: boolean): HookMeaning {
  return {
    conversation,
    seen: [],
    staysOpen: false,
    tool: null,
    prime: null,
    tell: null,
    hears: false,
    reads: false,
    turn: subagent ? null : "begun", // what a subagent does says nothing about the agent that started it
  };
}

export function checkCall(hook: Json): void {
  const event = text(hook.hook_event_name);
  if (text(hook.tool_name) === "") throw malformed(`${event} has no tool_name`);
  if (!isObject(hook.tool_input)) throw malformed(`the tool_input of ${event} is not an object`);
}

/** What an approval is bound to: the tool and its exact input. */
export function hashOf({ tool_name, tool_input }: Json): string {
  return sha256(canonical({ tool: text(tool_name), input: tool_input }));
}

/** A call has run or was refused: its id says which, or else its name. */
export function ended(call: Json, name: string, end: CallEnd): Seen[] {
  const use = text(call.tool_use_id);
  const byName: Seen = { type: "answered", key: name, ...end };
  return use === "" ? [byName] : [{ type: "answered", key: use, ...end }, byName];
}

export function primeOf(source: unknown): HookMeaning["prime"] {
  return source === "startup" || source === "resume" || source === "clear" || source === "compact"
    ? source
    : null;
}

export function malformed(what: string): Refusal {
  return new Refusal("request.invalid", what);
}
