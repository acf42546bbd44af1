/** Sessions of a client that oj did not start: what their hooks say about their turns, and what can be told to them. */
import type { Prompt, Reply } from "../core/model/agent-types.ts";
import type { FileChange } from "../core/text/file-diff.ts";
import type { Json } from "./json-value.ts";
import { isObject, text } from "./json-value.ts";

export interface SessionDoor {
  /** Its name in the address that the client's hooks report to. */
  name: string;
  /** While a dialog's hook is open, the client does not draw the dialog. */
  hidesDialogs: boolean;
  /** While the hook for the end of a turn is open, its terminal is free for the next prompt. */
  staysFree: boolean;
  /** Null if the hook does not say which session it is about. */
  read(hook: unknown): SessionNews | null;
  /** The response to a dialog's hook may change what will run. */
  takesChanges: boolean;
  /** The body of the response to a hook that is open for a dialog; null if only the terminal can give this reply. */
  reply(prompt: Prompt, reply: Reply): object | null;
  /** What the call that a dialog is about would do to a file; null if it changes none that it names. */
  fileChange(prompt: Prompt): FileChange | null;
  /**
   * What the session said before the call that a dialog is about, going by the end of its conversation's file. Null if
   * the call is not in it yet.
   */
  saidBefore(prompt: Prompt, transcript: string): string | null;
  /** The turn continues, with this to do. */
  block(reason: string): object;
  /** Words for the person at the terminal; the model does not see them. */
  remark(text: string): object;
}

/** Longer names are no names, and longer last words are cut. */
const MAX_SESSION = 200;
export const MAX_MESSAGE = 2000;

/** What every hook says of its session, in all clients' words; null if it does not say which session it is about. */
export function sessionIn(hook: unknown): { it: Json; session: string; cwd: string } | null {
  const it = isObject(hook) ? hook : {};
  const session = text(it.session_id);
  return session === "" || session.length > MAX_SESSION ? null : { it, session, cwd: text(it.cwd) };
}

export interface SessionNews {
  session: string;
  cwd: string;
  /**
   * `prompted`: a person wrote something. `woken`: something in the background set it to work. `asked`: it shows a
   * dialog while this hook is open. `ran`: a tool ran. `ended`: the session is over.
   */
  what: "started" | "prompted" | "woken" | "asked" | "ran" | "stopped" | "ended" | "other";
  /** The tool call that this is about, named as a dialog about it would be. */
  tool: string;
  dialog: Prompt | null;
  last_message: string;
  /** The file with its conversation, if the hook names it. */
  transcript: string | null;
  /** One of its subagents does this: what that one is told, the session itself does not hear. */
  isSubagents: boolean;
  /** The session is not finished: something in the background will wake it. */
  isBusy: boolean;
  /** Makes the response that carries words to the model. */
  tell(text: string): object;
}
