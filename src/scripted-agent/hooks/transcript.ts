/** What the conversation's file says about words, calls and results, as Claude Code writes it: whoever gets no hooks can read it there. */

import type { Conversation } from "./conversation.ts";
import type { CallResult, Json, ToolCall } from "./json.ts";

interface Place {
  conversation: Conversation;
}

export function keepPrompt(stage: Place, content: string): void {
  keep(stage, "user", content);
}

export function keepWords(stage: Place, text: string, error: string | null = null): void {
  const failed = error === null ? {} : { isApiErrorMessage: true, error };
  stage.conversation.note({
    type: "assistant",
    text,
    message: { role: "assistant", content: [{ type: "text", text }] },
    ...failed,
    ...now(),
  });
}

export function keepCall(stage: Place, { id, name, input }: ToolCall): void {
  keep(stage, "assistant", [{ type: "tool_use", id, name, input }]);
}

export function keepResult(stage: Place, { call, response, text }: CallResult, denied: boolean): void {
  const result = { type: "tool_result", tool_use_id: call.id, content: text, is_error: denied };
  keep(stage, "user", [result], { toolUseResult: response });
}

function keep(
  { conversation }: Place,
  role: "user" | "assistant",
  content: string | Json[],
  more: Json = {},
): void {
  conversation.note({ type: role, message: { role, content }, ...more, ...now() });
}

function now(): { timestamp: string } {
  return { timestamp: new Date().toISOString() };
}
