/**
 * opencode through its own server, as if it spoke ACP: unlike its ACP mode, the server also asks questions, and takes
 * the reason for a No along with it.
 */
import type { Readable } from "node:stream";
import type { Params, Peer, PeerEvents } from "../wire/rpc.ts";
import { isObject, RpcError, textOf, unknownMethod } from "../wire/rpc.ts";
import type { ToolCall } from "./asked.ts";
import { answersTo, errorWords, permissionParams, questionsIn } from "./asked.ts";
import type { OpencodeLine } from "./line.ts";
import type { Server } from "./server.ts";
import { addressIn, serverAt } from "./server.ts";

/** It would go on retrying for hours without a word: after this many attempts, a person hears of it. */
const MOST_ATTEMPTS = 3;
const ABORTED = "MessageAbortedError";
const FAILED = -32603;

export function startOpencode(
  output: Readable,
  { password, prompt: always }: { password: string; prompt: OpencodeLine["prompt"] },
  on: PeerEvents,
): Peer {
  const calls = new Map<string, ToolCall>();
  const open = new Set<string>();
  const said = new Set<string>();
  const models = new Set<string>();
  /** The error that the client keeps retrying after. */
  let given: string | null = null;
  let isUp = false;
  const ready = addressIn(output).then(async (url) => {
    const server = serverAt(url, password);
    isUp = true;
    await server.follow((event) => void heard(server, event));
    return server;
  });
  const update = (it: Params) => on.notice("session/update", { update: it });

  async function heard(server: Server, { type, properties }: Params): Promise<void> {
    const it = isObject(properties) ? properties : {};
    switch (type) {
      case "message.updated":
        if (isObject(it.info) && it.info.role === "assistant") models.add(textOf(it.info.id));
        return;
      case "message.part.updated":
        return isObject(it.part) ? part(it.part) : undefined;
      case "permission.asked":
        return permit(server, it).catch(() => {}); // somebody else has settled it, or the server is gone
      case "question.asked":
        return ask(server, it).catch(() => {});
      case "permission.replied":
      case "question.replied":
      case "question.rejected":
        open.delete(textOf(it.requestID));
        return;
      case "session.status":
        return status(server, textOf(it.sessionID), it.status);
      default:
        return;
    }
  }

  function part(it: Params): void {
    const { state } = it;
    if (it.type === "text" && models.has(textOf(it.messageID))) return words(it);
    if (it.type !== "tool" || !isObject(state)) return;
    const toolCallId = textOf(it.callID);
    const isNew = !calls.has(toolCallId);
    const tool = textOf(it.tool);
    calls.set(toolCallId, { tool, input: isObject(state.input) ? state.input : {} });
    if (isNew) update({ sessionUpdate: "tool_call", toolCallId, title: tool });
    const ended = { completed: "completed", error: "failed" }[textOf(state.status)];
    if (ended === undefined) return;
    calls.set(toolCallId, { tool, input: {} }); // nobody asks about it any more
    update({ sessionUpdate: "tool_call_update", toolCallId, status: ended });
  }

  /** Each text once, when it is whole. */
  function words({ id, text, time }: Params): void {
    if (said.has(textOf(id)) || !isObject(time) || time.end === undefined) return;
    said.add(textOf(id));
    update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: `${textOf(text)}\n\n` } });
  }

  async function permit(server: Server, asked: Params): Promise<void> {
    const id = textOf(asked.id);
    open.add(id);
    const callId = isObject(asked.tool) ? textOf(asked.tool.callID) : "";
    const params = permissionParams(asked, calls.get(callId));
    const result = await on.request("session/request_permission", { ...params, _meta: { request: id } });
    if (!open.delete(id)) return;
    const { outcome, _meta } = isObject(result) ? result : {};
    const reply = (isObject(outcome) && textOf(outcome.optionId)) || "reject";
    // without a word, a No ends the whole turn
    const message = (isObject(_meta) && textOf(_meta.reason)) || "The user denied this.";
    await server.call("POST", `/permission/${encodeURIComponent(id)}/reply`, {
      reply,
      ...(reply === "reject" ? { message } : {}),
    });
  }

  async function ask(server: Server, asked: Params): Promise<void> {
    const id = textOf(asked.id);
    open.add(id);
    const questions = questionsIn(asked);
    const result = await on.request("oj/ask", { questions, _meta: { request: id } });
    if (!open.delete(id)) return;
    const answers = isObject(result) && isObject(result.answers) ? result.answers : null;
    const place = `/question/${encodeURIComponent(id)}`;
    if (!answers) return void (await server.call("POST", `${place}/reject`, {}));
    const texts = Object.fromEntries(Object.entries(answers).map(([key, it]) => [key, String(it)]));
    await server.call("POST", `${place}/reply`, { answers: answersTo(questions, texts) });
  }

  async function status(server: Server, session: string, it: unknown): Promise<void> {
    if (!isObject(it) || it.type !== "retry" || Number(it.attempt) < MOST_ATTEMPTS || given !== null) return;
    given = `${textOf(it.message) || "it failed"} (${MOST_ATTEMPTS} attempts)`;
    await abort(server, session);
  }

  async function abort(server: Server, session: string): Promise<void> {
    await server.call("POST", `/session/${encodeURIComponent(session)}/abort`, {}).catch(() => {});
  }

  async function prompt(server: Server, { sessionId, prompt: blocks }: Params): Promise<object> {
    given = null;
    const place = `/session/${encodeURIComponent(textOf(sessionId))}/message`;
    const result = await server.call("POST", place, { ...always, parts: blocks });
    const { info, parts } = isObject(result) ? result : {};
    for (const it of Array.isArray(parts) ? parts : []) if (isObject(it) && it.type === "text") words(it);
    if (given !== null) throw new RpcError(FAILED, given);
    const { error } = isObject(info) ? info : {};
    if (!isObject(error)) return { stopReason: "end_turn" };
    if (error.name === ABORTED) return { stopReason: "cancelled" };
    throw new RpcError(FAILED, errorWords(error));
  }

  return {
    isUp: () => isUp,
    isOpen: (id) => open.has(id), // a No may have settled others with it
    async request(method, params) {
      const server = await ready;
      switch (method) {
        case "initialize":
          return { agentInfo: { name: "opencode" }, agentCapabilities: { loadSession: true } };
        case "session/new": {
          const made = await server.call("POST", "/session", {});
          return { sessionId: isObject(made) ? textOf(made.id) : "" };
        }
        case "session/load":
          await server.call("GET", `/session/${encodeURIComponent(textOf(params.sessionId))}`);
          return {};
        case "session/prompt":
          return prompt(server, params);
        default:
          throw unknownMethod(method);
      }
    },
    notify(method, params) {
      if (method === "session/cancel") void ready.then((server) => abort(server, textOf(params.sessionId)));
    },
  };
}
