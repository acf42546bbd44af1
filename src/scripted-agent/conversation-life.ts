/** The beginning and the end of a conversation, as reported to the hooks. */
import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { newConversation } from "./hooks/conversation.ts";
import { sessionEnd, sessionStart } from "./hooks/json.ts";
import type { Stage } from "./stage.ts";
import { commonOf, hear } from "./stage.ts";

export async function beginConversation(stage: Stage, source: "startup" | "resume" | "clear"): Promise<void> {
  stage.record("session", { source, session_id: stage.conversation.id });
  register(stage);
  hear(stage, await stage.hooks.send(sessionStart(commonOf(stage), source)), "SessionStart");
}

/** Which conversation this process has, for those who get no hooks. */
function register({ home, conversation, cwd }: Stage): void {
  const file = registryOf(home);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify({ pid: process.pid, sessionId: conversation.id, cwd }));
}

export function unregister(home: string): void {
  fs.rmSync(registryOf(home), { force: true });
}

function registryOf(home: string): string {
  return path.join(home, "sessions", `${process.pid}.json`);
}

/** Another conversation replaces this one; the scenario continues where it is. */
export async function clearContext(stage: Stage): Promise<void> {
  await stage.hooks.send(sessionEnd(commonOf(stage), "clear"));
  const { state } = stage.conversation;
  stage.conversation = newConversation(stage.home, randomUUID());
  stage.conversation.note({ type: "progress", progress: structuredClone(state) });
  stage.promptId = null;
  await beginConversation(stage, "clear");
}
