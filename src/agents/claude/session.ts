/** Hooks of a Claude Code session that oj did not start: what they say about its turns, and what can be told to it. */
import type { Prompt } from "../../core/agent-types.ts";
import { keyOf, readHook } from "./hooks.ts";

export interface SessionHook {
  session: string;
  cwd: string;
  event: string;
  /** A person wrote this prompt; notices of background tasks come the same way. */
  isPrompt: boolean;
  /** The tool, as a dialog about it is named. */
  tool: string;
  dialog: Prompt | null;
  last_message: string;
  /** It is not its last word: something in the background will wake it. */
  isBusy: boolean;
}

type Json = Record<string, unknown>;

/** Null when it does not say which session it is about. */
export function readSessionHook(hook: unknown): SessionHook | null {
  const it = objectOf(hook);
  const session = textOf(it.session_id);
  if (session === "" || session.length > MAX_SESSION) return null;
  return {
    session,
    cwd: textOf(it.cwd),
    event: textOf(it.hook_event_name),
    isPrompt: !textOf(it.prompt).startsWith("<task-notification>"),
    tool: it.tool_name === "ExitPlanMode" ? "ExitPlanMode" : keyOf(it), // a plan's input is empty once it ran
    dialog: dialogIn(hook),
    last_message: textOf(it.last_assistant_message).slice(0, MAX_MESSAGE),
    isBusy: [it.background_tasks, it.session_crons].some((list) => Array.isArray(list) && list.length > 0),
  };
}

const MAX_SESSION = 200;
const MAX_MESSAGE = 2000;

/** Words that the model reads with its next step. */
export function telling(hookEventName: string, additionalContext: string): object {
  return { hookSpecificOutput: { hookEventName, additionalContext } };
}

/** The turn goes on, with this to do. */
export function blocking(reason: string): object {
  return { decision: "block", reason };
}

/** Words for the person at the terminal; the model does not see them. */
export function remarking(systemMessage: string): object {
  return { systemMessage };
}

function dialogIn(hook: unknown): Prompt | null {
  if (objectOf(hook).hook_event_name !== "PermissionRequest") return null;
  const [seen] = readHook(hook)?.seen ?? [];
  return seen?.type === "prompted" ? seen.prompt : null;
}

function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
