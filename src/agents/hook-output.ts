/** The output that hooks of Claude Code have, and those of clients that took over its form. */

/** Carries words to the model. */
export function telling(hookEventName: string): (additionalContext: string) => object {
  return (additionalContext) => ({ hookSpecificOutput: { hookEventName, additionalContext } });
}

/** Refuses a call before it runs. */
export function refusing(permissionDecisionReason: string): object {
  const denied = { permissionDecision: "deny", permissionDecisionReason };
  return { hookSpecificOutput: { hookEventName: "PreToolUse", ...denied } };
}

/** What an agent is told when the person gave no reason. */
export const DENIED = "The user denied this.";
