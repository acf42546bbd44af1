/** Hooks of a Claude Code session that oj did not start: what they say about its turns, and what can be told to it. */
import type { Prompt } from "../../core/model/agent-types.ts";
import { turnOf } from "../hook-input.ts";
import { telling } from "../hook-output.ts";
import type { Json } from "../json-value.ts";
import { text } from "../json-value.ts";
import type { SessionDoor, SessionNews } from "../session-door.ts";
import { MAX_MESSAGE, sessionIn } from "../session-door.ts";
import { fileChangeOf } from "./file-change.ts";
import { busy, keyOf, readHook } from "./hooks.ts";
import { replyBody } from "./reply.ts";
import { readTranscripts } from "./transcript.ts";

export const claudeSession: SessionDoor = {
  name: "claude",
  hidesDialogs: false,
  staysFree: false,
  takesChanges: true,
  read: readSessionHook,
  reply: replyBody,
  fileChange: fileChangeOf,
  saidBefore({ sha256 }, transcript) {
    const { open, last_message } = readTranscripts(transcript, []);
    return open.some((it) => it.sha256 === sha256) ? last_message : null;
  },
  block: (reason) => ({ decision: "block", reason }),
  remark: (systemMessage) => ({ systemMessage }),
};

function readSessionHook(hook: unknown): SessionNews | null {
  const about = sessionIn(hook);
  if (about === null) return null;
  const { it, session, cwd } = about;
  return {
    session,
    cwd,
    what: whatOf(it),
    tool: it.tool_name === "ExitPlanMode" ? "ExitPlanMode" : keyOf(it), // once a plan has run, its input is empty
    dialog: dialogIn(it),
    last_message: text(it.last_assistant_message).slice(0, MAX_MESSAGE),
    transcript: text(it.transcript_path) || null,
    isSubagents: text(it.agent_id) !== "",
    isBusy: busy(it),
    tell: telling(text(it.hook_event_name)),
  };
}

function whatOf(hook: Json): SessionNews["what"] {
  if (hook.hook_event_name === "SessionEnd") return "ended";
  const what = turnOf(hook);
  // notices of background tasks arrive like a prompt
  return what === "prompted" && text(hook.prompt).startsWith("<task-notification>") ? "woken" : what;
}

function dialogIn(hook: Json): Prompt | null {
  if (hook.hook_event_name !== "PermissionRequest") return null;
  const [seen] = readHook(hook)?.seen ?? [];
  return seen?.type === "prompted" ? seen.prompt : null;
}
