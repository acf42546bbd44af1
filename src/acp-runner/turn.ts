/** One turn: the person's words go to the program, what it does comes back, and the hooks hear how it ended. */
import { randomUUID } from "node:crypto";
import { blockOf, contextOf, stop, stopFailure, userPromptSubmit } from "../scripted-agent/hooks/json.ts";
import { keepPrompt, keepWords } from "../scripted-agent/hooks/transcript.ts";
import type { Stage } from "../scripted-agent/stage.ts";
import { commonOf, show, showBelow } from "../scripted-agent/stage.ts";
import type { Session } from "./session.ts";
import { endAll, flush } from "./updates.ts";
import { isObject, RpcError, textOf } from "./wire/rpc.ts";

/** How often a hook may send the program back in a turn. */
const MAX_SENT_BACK = 8;
const AUTH_REQUIRED = -32_000;
const INTERNAL = -32_603;

/** `before`: text that the program gets ahead of the first words. */
export async function playTurn(session: Session, words: string, before: string): Promise<void> {
  const { stage } = session;
  stage.abort = new AbortController();
  stage.promptId = randomUUID();
  stage.record("prompt", { text: words });
  show(stage, words, "❯ ");
  stage.ui.works("Working");
  const output = await stage.hooks.send(userPromptSubmit(commonOf(stage), words));
  const refusal = blockOf(output);
  if (refusal !== null) showBelow(stage, `A hook blocked these words: ${refusal}`);
  else {
    begin(stage, words);
    const context = contextOf(output, "UserPromptSubmit") ?? "";
    const late = session.owed.take(); // an earlier turn was interrupted, or the program died, before it got these
    if (late.length > 0) show(stage, late.join("\n"), "❯ ");
    await converse(session, [before, ...late, context, words]);
    stage.conversation.note({ type: "turn_end" });
  }
  stage.ui.works(null);
}

function begin({ conversation }: Stage, words: string): void {
  conversation.note({ type: "turn", from: { list: "turns", index: 0 }, prompt: words });
  keepPrompt({ conversation }, words);
}

async function converse(session: Session, first: string[]): Promise<void> {
  const { stage, owed } = session;
  let sentBack = 0;
  for (let texts = first; ; ) {
    const ended = await prompt(session, texts);
    if (ended === "over") return;
    const follow = owed.take();
    if (follow.length > 0) {
      texts = follow;
      show(stage, texts.join("\n"), "❯ ");
      continue;
    }
    const output = await stage.hooks.send(
      stop(commonOf(stage), { active: sentBack > 0, last: stage.last, tasks: [] }),
    );
    const reason = blockOf(output) ?? contextOf(output, "Stop");
    if (reason === null || sentBack++ >= MAX_SENT_BACK) return;
    showBelow(stage, `Sent back: ${reason}`);
    texts = [reason];
  }
}

/** `over`: it failed or was interrupted, so there is nothing more to do in this turn. */
async function prompt(session: Session, texts: readonly string[]): Promise<"ended" | "over"> {
  const { stage, peer, id: sessionId } = session;
  const cancel = () => peer.notify("session/cancel", { sessionId });
  stage.abort.signal.addEventListener("abort", cancel, { once: true });
  const said = [...session.forgotten.splice(0), ...texts.filter((it) => it !== "")];
  session.stirred = false;
  session.hasFailed = false;
  try {
    const blocks = said.map((text) => ({ type: "text", text }));
    const result = await peer.request("session/prompt", { sessionId, prompt: blocks });
    const reason = isObject(result) ? textOf(result.stopReason) : "";
    if (session.hasFailed) throw new RpcError(INTERNAL, session.saying.trim() || "the turn failed");
    flush(session);
    await endAll(session);
    if (stage.abort.signal.aborted) {
      showBelow(stage, "Interrupted");
      return "over";
    }
    // some programs cancel their turn after a No: the reason follows all the same
    if (reason !== "end_turn" && reason !== "")
      showBelow(stage, `It stopped: ${reason.replaceAll("_", " ")}`);
    return "ended";
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    flush(session);
    await endAll(session);
    if (!session.stirred && session.ways.forgets) session.forgotten.push(...said);
    await fail(stage, error);
    return "over";
  } finally {
    session.owed.said();
    stage.abort.signal.removeEventListener("abort", cancel);
  }
}

async function fail(stage: Stage, { code, message }: RpcError): Promise<void> {
  const kind = kindOf(code, message);
  stage.record("failed", { error: kind, message });
  showBelow(stage, message);
  keepWords(stage, message, kind);
  await stage.hooks.send(stopFailure(commonOf(stage), kind, message));
}

/** The protocol has no kinds of errors but one: the rest is in the words. */
export function kindOf(code: number, message: string): string {
  if (code === AUTH_REQUIRED || /\b401\b|unauthorized|authenticat/i.test(message))
    return "authentication_failed";
  if (/\b429\b|rate.?limit|quota|too many requests/i.test(message)) return "rate_limit";
  if (/\b402\b|billing|credit/i.test(message)) return "billing_error";
  return /\b(500|502|503|529)\b|overloaded/i.test(message) ? "server_error" : "unknown";
}
