/**
 * What a client keeps of our promise, for each source of decisions. The table in docs/agents.md says the same, and is
 * compared with it.
 */

import type { Prompt } from "../core/model/agent-types.ts";

/** `best effort`: a screen has to be read for it. Null: it never asks that, or takes no such answer. */
export type Worth = "exact" | "best effort" | null;

export interface Promises {
  approval: Worth;
  /** An approval with a change: the response to a dialog's hook may change what will run. */
  edited: Worth;
  question: Worth;
  plan: Worth;
  idle: Worth;
  error: Worth;
  dead: Worth;
  gate: Worth;
  request: Worth;
}

/** A dialog as it is recorded: with the mark that what it asks can't be changed, if nothing could take the change. */
export function asTaken(prompt: Prompt, takesChanges: boolean): Prompt {
  return takesChanges || prompt.kind === "question" ? prompt : { ...prompt, as_is: true };
}

/** For a client that tells and is told everything by hooks or a protocol of its own. */
export const ALL_EXACT: Promises = {
  approval: "exact",
  edited: "exact",
  question: "exact",
  plan: "exact",
  idle: "exact",
  error: "exact",
  dead: "exact",
  gate: "exact",
  request: "exact",
};
