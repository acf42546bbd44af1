/** Something that happened to an agent and may need a person. */
import type { Prompt, TriggerName } from "./agent-types.ts";
import type { Source } from "./decision-types.ts";

export interface Occasion {
  trigger: TriggerName;
  source: Extract<Source, "idle" | "dead" | "error" | "gate" | "approval" | "question" | "plan">;
  /** One sentence: the title of the question, if it comes to one. */
  what: string;
  /** What else is known: an exit code, an error, what a gate printed. */
  details: string;
  /** The last lines of the agent's output. */
  tail: string;
  /** The kind of an error, which `match` names. */
  kind?: string | undefined;
  prompt?: Prompt;
}
