/** Our answers to dialogs, as the output of the hook that waits for them. */
import type { Prompt, Reply } from "../../core/model/agent-types.ts";
import { DENIED } from "../hook-output.ts";
import { notesTo } from "./terminal/notes.ts";

/** Null for keys, and for clearing the context, which only the dialog offers. */
export function replyBody(prompt: Prompt, reply: Reply): object | null {
  const decision = decisionOf(prompt, reply);
  return decision && { hookSpecificOutput: { hookEventName: "PermissionRequest", decision } };
}

function decisionOf(prompt: Prompt, reply: Reply): object | null {
  const input = typeof prompt.input === "object" && prompt.input !== null ? prompt.input : {};
  switch (reply.type) {
    case "approve":
      return { behavior: "allow", updatedInput: reply.edit?.input ?? input };
    case "deny":
      return { behavior: "deny", message: reply.message ?? DENIED };
    case "answers": {
      const answers = Object.fromEntries(
        reply.answers.map((it) => [it.question, [...it.labels, ...(it.text ? [it.text] : [])].join(", ")]),
      );
      const noted = reply.answers.flatMap((it) => {
        const notes = notesTo(it, reply);
        return notes === null ? [] : [[it.question, { notes }] as const];
      });
      const annotations = noted.length > 0 ? { annotations: Object.fromEntries(noted) } : {};
      return { behavior: "allow", updatedInput: { ...input, answers, ...annotations } };
    }
    case "accept":
      if (reply.mode === "clear") return null;
      return {
        behavior: "allow",
        updatedInput: reply.edit?.input ?? input,
        ...(reply.mode === "auto"
          ? { updatedPermissions: [{ type: "setMode", mode: "acceptEdits", destination: "session" }] }
          : {}),
      };
    case "revise":
      return { behavior: "deny", message: reply.message };
    case "keys":
      return null;
  }
}
