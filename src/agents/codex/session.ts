/** Hooks of a Codex session that oj did not start: what they say about its turns, and what can be told to it. */
import type { Prompt } from "../../core/model/agent-types.ts";
import { checkCall, turnOf } from "../hook-input.ts";
import { telling } from "../hook-output.ts";
import type { Json } from "../json-value.ts";
import { text } from "../json-value.ts";
import type { SessionDoor, SessionNews } from "../session-door.ts";
import { MAX_MESSAGE, sessionIn } from "../session-door.ts";
import { callName, keyOf, promptOf } from "./hooks.ts";
import { replyBody } from "./reply.ts";
import { readRollout } from "./rollout.ts";

export const codexSession: SessionDoor = {
  name: "codex",
  hidesDialogs: true,
  staysFree: false,
  takesChanges: false,
  read: readSessionHook,
  reply: replyBody,
  fileChange: () => null,
  saidBefore({ key }, transcript) {
    const { open, last_message } = readRollout(transcript);
    return open.some((it) => callName(it.tool, it.input) === key) ? last_message : null;
  },
  block,
  remark: (systemMessage) => ({ systemMessage }),
};

function readSessionHook(hook: unknown): SessionNews | null {
  const about = sessionIn(hook);
  if (about === null) return null;
  const { it, session, cwd } = about;
  const isSubagents = text(it.agent_id) !== "";
  return {
    session,
    cwd,
    what: whatOf(it, isSubagents),
    tool: keyOf(it),
    dialog: dialogIn(it),
    last_message: text(it.last_assistant_message).slice(0, MAX_MESSAGE),
    transcript: text(it.transcript_path) || null,
    isSubagents,
    isBusy: false,
    // at the end of a turn the client takes no words but these
    tell: it.hook_event_name === "Stop" ? block : telling(text(it.hook_event_name)),
  };
}

/** What a subagent is told or does is not the session's own turn. */
function whatOf(hook: Json, isSubagents: boolean): SessionNews["what"] {
  return isSubagents && hook.hook_event_name !== "PermissionRequest" ? "other" : turnOf(hook);
}

function dialogIn(hook: Json): Prompt | null {
  if (hook.hook_event_name !== "PermissionRequest") return null;
  checkCall(hook);
  return promptOf(hook);
}

function block(reason: string): object {
  return { decision: "block", reason };
}
