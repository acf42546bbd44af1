/** Sessions of a client that oj did not start: what their hooks say about their turns, and what can be told to them. */
import type { Prompt, Reply } from "../core/model/agent-types.ts";

export interface SessionDoor {
  /** Null when it does not say which session it is about. */
  read(hook: unknown): SessionNews | null;
  /** The body of the response to a hook that is held for a dialog; null where only its terminal can say it. */
  reply(prompt: Prompt, reply: Reply): object | null;
  /** The turn goes on, with this to do. */
  block(reason: string): object;
  /** Words for the person at the terminal; the model does not see them. */
  remark(text: string): object;
}

export interface SessionNews {
  session: string;
  cwd: string;
  /**
   * `prompted`: a person wrote something; `woken`: something in the background set it to work. `asked`: it shows a dialog while this
   * hook waits. `ran`: a tool did.
   */
  what: "started" | "prompted" | "woken" | "asked" | "ran" | "stopped" | "other";
  /** The tool that this is about, as a dialog about it is named. */
  tool: string;
  dialog: Prompt | null;
  last_message: string;
  /** It is not its last word: something in the background will wake it. */
  isBusy: boolean;
  /** The response that carries words for the model. */
  tell(text: string): object;
}
