/** `session/update`: what the program says and does, on the screen and in the conversation's file. */
import { reportCall, say, show, showBelow } from "../scripted-agent/stage.ts";
import type { Session } from "./session.ts";
import type { Params } from "./wire/rpc.ts";
import { isObject, textOf } from "./wire/rpc.ts";

/** Other updates are about the program itself. */
const STIRS = ["agent_message_chunk", "agent_thought_chunk", "tool_call", "tool_call_update", "plan"];
const MAX_SAYING = 1_000_000;

export function onUpdate(session: Session, params: Params): void {
  const update = isObject(params.update) ? params.update : {};
  if (session.replays) return;
  session.hasFailed ||= session.ways.saysFailed(update);
  session.stirred ||= STIRS.includes(textOf(update.sessionUpdate));
  switch (update.sessionUpdate) {
    case "agent_message_chunk": {
      const text = isObject(update.content) ? textOf(update.content.text) : "";
      session.saying = (session.saying + text).slice(-MAX_SAYING);
      return;
    }
    case "tool_call":
      flush(session);
      show(session.stage, textOf(update.title) || textOf(update.kind), "● ");
      return ended(session, update);
    case "tool_call_update":
      return ended(session, update);
    case "plan":
      flush(session);
      return showPlan(session, update.entries);
    default:
      return;
  }
}

/** What was said until now is one message. */
export function flush(session: Session): void {
  const text = session.saying.trim();
  session.saying = "";
  if (text !== "") say(session.stage, text);
}

/** An allowed call has run: that is the receipt of its answer. */
function ended({ stage, running }: Session, update: Params): void {
  const use = textOf(update.toolCallId);
  const call = running.get(use);
  const { status } = update;
  if (status !== "completed" && status !== "failed") return;
  if (status === "failed") showBelow(stage, "It failed");
  if (!call) return;
  running.delete(use);
  void reportCall(stage, { call, response: { status }, text: String(status) }, false);
}

/** Calls whose end the program did not tell have ended with its turn. */
export async function endAll({ stage, running }: Session): Promise<void> {
  for (const [use, call] of [...running]) {
    running.delete(use);
    await reportCall(stage, { call, response: {}, text: "" }, false);
  }
}

const MARKS: Readonly<Record<string, string>> = { completed: "☒", in_progress: "◐" };

function showPlan({ stage }: Session, entries: unknown): void {
  const lines = (Array.isArray(entries) ? entries : []).flatMap((it) =>
    isObject(it) ? [`${MARKS[textOf(it.status)] ?? "☐"} ${textOf(it.content)}`] : [],
  );
  if (lines.length > 0) show(stage, ["Plan", ...lines].join("\n"), "● ");
}
