/**
 * What the end of a conversation's file ("rollout") says. The file is the client's own, but it is hostile until it is
 * read here.
 */
import type { CallEnd } from "../../core/agent/dialog.ts";
import type { Prompt } from "../../core/model/agent-types.ts";
import type { Kept, Seen } from "../client.ts";
import { unguarded } from "../guarded-words.ts";
import type { Json } from "../json-value.ts";
import { isObject, parsed, text } from "../json-value.ts";
import { errorOf } from "./errors.ts";
import { promptOf } from "./hooks.ts";
import { answersIn, QUESTION_TOOL } from "./questions.ts";

export function readRollout(rollout: string): Kept {
  const kept: Kept = { open: [], ended: [], last_message: "", begun: false, error: null };
  for (const { payload } of entriesOf(rollout)) {
    const call = callIn(payload);
    if (call) kept.open.push(call);
    if (isResult(payload)) {
      const key = text(payload.call_id);
      kept.ended.push({ key, ...endOf(payload, kept.open.find((it) => it.key === key) ?? null) });
      kept.open = kept.open.filter((it) => it.key !== key);
    }
    if (payload.type === "message" && payload.role === "assistant")
      kept.last_message = wordsIn(payload.content) || kept.last_message;
    if (saidIn(payload) !== null) Object.assign(kept, { begun: true, error: null });
    if (payload.type === "task_complete") kept.error = errorOf(payload.error);
  }
  return kept;
}

/** What was added to the file, told as hooks would tell it. */
export function newsIn(lines: string, since_ms: number): Seen[] {
  const { open, ended } = readRollout(lines);
  const calls = [...open.map((it) => it.key), ...ended.map((it) => it.key)];
  return entriesOf(lines).flatMap(({ timestamp, payload }): Seen[] => {
    if (Date.parse(text(timestamp)) < since_ms) return [];
    const said = saidIn(payload);
    if (said !== null) return [{ type: "submitted", text: unguarded(said) }];
    const end = isResult(payload) ? ended.find((it) => it.key === payload.call_id) : undefined;
    return end && calls.includes(end.key) ? [{ type: "answered", ...end }] : [];
  });
}

/** Whether the conversation can be resumed: somebody said something in it. */
export function hasWords(rollout: string): boolean {
  return rollout.includes('"type":"UserMessage"');
}

function entriesOf(rollout: string): { timestamp: unknown; payload: Json }[] {
  return rollout.split("\n").flatMap((line) => {
    const entry = parsed(line);
    return entry && isObject(entry.payload) ? [{ timestamp: entry.timestamp, payload: entry.payload }] : [];
  });
}

/** A call as its hooks would describe it. */
function callIn(payload: Json): Prompt | null {
  const isCall = payload.type === "function_call" || payload.type === "custom_tool_call";
  const key = text(payload.call_id);
  if (!isCall || key === "") return null;
  const name = text(payload.name);
  const input = payload.type === "function_call" ? (parsed(text(payload.arguments)) ?? {}) : {};
  return { ...promptOf({ ...describe(name, input, text(payload.input)) }), key };
}

function describe(name: string, input: Json, patch: string): { tool_name: string; tool_input: Json } {
  const command = text(input.cmd) || text(input.command);
  if ((name === "exec_command" || name === "shell_command") && command !== "") {
    const reason = text(input.justification);
    return { tool_name: "Bash", tool_input: { command, ...(reason === "" ? {} : { description: reason }) } };
  }
  return { tool_name: name, tool_input: patch === "" ? input : { command: patch } };
}

function isResult({ type, call_id }: Json): boolean {
  return (type === "function_call_output" || type === "custom_tool_call_output") && text(call_id) !== "";
}

function endOf({ output }: Json, call: Prompt | null): CallEnd {
  const result = text(output);
  if (REFUSED.test(result)) return { refused: true, wordless: true };
  if (FAILED.test(result)) return {};
  return { ran: true, ...(call?.tool === QUESTION_TOOL ? answersIn(call.input, result) : {}) };
}

const REFUSED = /^aborted by user|\bRejected\(|^[^\n]*rejected by user/;
/** The call never came to anything. */
const FAILED = /^(\w+ failed: |unsupported |\w+ is unavailable )/;

/** A person's words; what the client adds to them is not an item of its own. */
function saidIn({ type, item }: Json): string | null {
  return type === "item_completed" && isObject(item) && item.type === "UserMessage"
    ? wordsIn(item.content)
    : null;
}

function wordsIn(content: unknown): string {
  const parts = Array.isArray(content) ? content.filter(isObject) : [];
  return parts.map((it) => text(it.text)).join("\n");
}
