/** When and how an agent asks: the same words in `oj decision remind`, in the skill of a plugin, and in the MCP tools. */

/** `how`: with what it asks. */
export function whenToAsk(how: string): string {
  return `Ask with ${how} when a choice is theirs and not yours: the task is ambiguous, the next step is hard to undo or costs money, options differ in a way that matters to them, you are stuck, or you are about to do something they did not ask for. Don't ask what you can find out yourself, and don't ask for permission to continue with what was already agreed.`;
}

export const GOOD_REQUEST =
  "A good request can be decided by somebody who has not followed your work: the prompt is one question, the options (1 to 4) are different things that you would then do, each with a description of what it leads to, and the context holds the facts that matter (what you tried, what it costs, what is at risk).";

/** `as`: flags that say who asks. */
export function askingLines(as = ""): string[] {
  return [
    "Before you finish, offer a decision: a person should say what happens next.",
    `  oj decision request${as} --prompt "…" --option "label: description" --option "…" --context "…"`,
    whenToAsk("it"),
    `${GOOD_REQUEST} Say with --recommend which option you would take. If something failed, offer an option to file or track it.`,
    "With --wait it returns with the answer. Without it, go on with what does not depend on the answer, or end your turn: the answer reaches you when you continue. Pending is not a yes and not a no. A new request replaces your pending one.",
  ];
}
