/** Our answers to permission requests, as the output of the hook that waits for them. Questions have no such hook. */
import type { Prompt, Reply } from "../../core/model/agent-types.ts";
import { DENIED } from "../hook-output.ts";

export function replyBody(_: Prompt, reply: Reply): object | null {
  const decision = decisionOf(reply);
  return decision && { hookSpecificOutput: { hookEventName: "PermissionRequest", decision } };
}

/** The client refuses the whole call if the decision changes what will run. */
function decisionOf(reply: Reply): object | null {
  if (reply.type === "approve" && !reply.edit) return { behavior: "allow" };
  if (reply.type === "deny") return { behavior: "deny", message: reply.message ?? DENIED };
  return null;
}
