/** The beginning and the end of a conversation, as the hooks hear of it. */
import { randomUUID } from "node:crypto";
import { newConversation } from "./conversation.ts";
import { contextOf, sessionEnd, sessionStart } from "./hook-json.ts";
import type { Stage } from "./stage.ts";
import { commonOf, tell } from "./stage.ts";

export async function beginSession(stage: Stage, source: "startup" | "resume" | "clear"): Promise<void> {
  stage.record("session", { source, session_id: stage.conversation.id });
  const context = contextOf(await stage.hooks.send(sessionStart(commonOf(stage), source)), "SessionStart");
  if (context === null) return;
  stage.record("context", { text: context, event: "SessionStart", source });
  tell(stage, "context", context);
}

/** Another conversation takes this one's place; the scenario goes on where it is. */
export async function clearContext(stage: Stage): Promise<void> {
  await stage.hooks.send(sessionEnd(commonOf(stage), "clear"));
  const { state } = stage.conversation;
  stage.conversation = newConversation(stage.home, randomUUID());
  stage.conversation.note({ type: "progress", progress: structuredClone(state) });
  stage.promptId = null;
  await beginSession(stage, "clear");
}
