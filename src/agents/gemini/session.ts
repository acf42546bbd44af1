/** Hooks of a Gemini CLI session that oj did not start: what they say about its turns, and what can be told to it. */
import { telling } from "../hook-output.ts";
import type { Json } from "../json-value.ts";
import { text } from "../json-value.ts";
import type { SessionDoor, SessionNews } from "../session-door.ts";
import { MAX_MESSAGE, sessionIn } from "../session-door.ts";

export const geminiSession: SessionDoor = {
  name: "gemini",
  hidesDialogs: false,
  staysFree: false,
  takesChanges: false,
  read: readSessionHook,
  reply: () => null, // none of its hooks can say yes
  fileChange: () => null,
  saidBefore: () => null,
  block,
  remark: (systemMessage) => ({ systemMessage }),
};

const TURNS = new Map<unknown, SessionNews["what"]>([
  ["SessionStart", "started"],
  ["BeforeAgent", "prompted"],
  ["AfterTool", "ran"],
  ["AfterAgent", "stopped"],
  ["SessionEnd", "ended"],
]);

function readSessionHook(hook: unknown): SessionNews | null {
  const about = sessionIn(hook);
  if (about === null) return null;
  const { it, session, cwd } = about;
  const what = whatOf(it);
  return {
    session,
    cwd,
    what,
    tool: text(it.tool_name),
    dialog: null,
    last_message: text(it.prompt_response).slice(-MAX_MESSAGE), // everything it said since the person's prompt
    transcript: null,
    isSubagents: false, // its hooks don't say
    isBusy: false,
    tell: what === "stopped" ? block : telling(text(it.hook_event_name)),
  };
}

function whatOf(hook: Json): SessionNews["what"] {
  const what = TURNS.get(hook.hook_event_name) ?? "other";
  return what === "prompted" && text(hook.prompt).startsWith(OURS) ? "woken" : what;
}

/** What keeps a turn going comes back as a prompt, which no person has typed. */
const OURS = "[from oj]";

function block(reason: string): object {
  return { decision: "block", reason: `${OURS} ${reason}` };
}
