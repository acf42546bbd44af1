/** Plays recordings of real clients to our adapters: hooks, ACP, and opencode's server. */
import http from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { calledBy } from "../../src/acp-runner/calls.ts";
import { startOpencode } from "../../src/acp-runner/opencode/peer.ts";
import { optionOf, optionsIn, selected } from "../../src/acp-runner/options.ts";
import { waysOf } from "../../src/acp-runner/programs.ts";
import { kindOf } from "../../src/acp-runner/turn.ts";
import type { Params, PeerEvents } from "../../src/acp-runner/wire/rpc.ts";
import { RpcError, startPeer } from "../../src/acp-runner/wire/rpc.ts";
import type { AgentClient } from "../../src/agents/client.ts";
import type { Prompt, Reply } from "../../src/core/model/agent-types.ts";
import { until } from "../specs/support/project.ts";
import type { Asked, Heard } from "./client.contract.ts";
import { CHOSEN, isYes, REASON } from "./client.contract.ts";

const nothing = (): Heard => ({ asked: [], sent: [], recorded: [], ran: [], last_message: "", error: null });

export interface HookLine {
  hook: Params;
  reply: unknown;
}

/** Hooks that the client runs by itself, and the responses that it got. */
export function hearHooks(client: AgentClient) {
  return async (lines: HookLine[]): Promise<Heard> => {
    const heard = nothing();
    for (const { hook, reply } of lines) {
      for (const it of client.read(hook)?.seen ?? []) {
        if (it.type === "prompted") {
          const asked = askedBy(it.prompt);
          heard.asked.push(asked);
          heard.sent.push(client.reply(it.prompt, replyTo(asked)));
          heard.recorded.push(reply);
        }
        if (it.type === "answered" && it.ran && hook.tool_name === "Bash") {
          const command = String((hook.tool_input as Params).command);
          if (heard.ran.at(-1) !== command) heard.ran.push(command); // told by the call's id and by what it asked
        }
        if (it.type === "stopped") heard.last_message = it.last_message;
        if (it.type === "errored") heard.error = it.kind;
      }
    }
    return heard;
  };
}

function askedBy({ kind, input, questions }: Prompt): Asked {
  const [question] = questions;
  if (kind === "question") return { kind, what: question?.question ?? "" };
  return { kind: "approval", what: String((input as Params).command) };
}

function replyTo(asked: Asked): Reply {
  if (asked.kind === "question")
    return {
      type: "answers",
      answers: [{ question: asked.what, labels: [CHOSEN], text: null }],
      message: null,
    };
  return isYes(asked) ? { type: "approve", message: null } : { type: "deny", message: REASON };
}

/** What the runner makes of a program behind it. */
function behindRunner(client: AgentClient, program: string) {
  const heard = nothing();
  const calls = new Map<string, string>();
  const on: PeerEvents = {
    async request(method, params) {
      if (method === "oj/ask") {
        const [question] = params.questions as { question: string }[];
        heard.asked.push({ kind: "question", what: question?.question ?? "" });
        return { answers: { [question?.question ?? ""]: CHOSEN } };
      }
      const call = params.toolCall as Params;
      const asked: Asked = {
        kind: "approval",
        what: String(calledBy(call, waysOf(program), "/").input.command),
      };
      heard.asked.push(asked);
      const [yes, no] = ["allow_once", "reject_once"].map((it) => optionOf(optionsIn(params), it));
      if (isYes(asked)) calls.set(String(call.toolCallId), asked.what);
      return isYes(asked) ? selected(yes ?? null) : { ...selected(no ?? null), ...reasonFor(program) };
    },
    notice(_, { update }) {
      const { sessionUpdate, toolCallId, status, content } = update as Params;
      const ran = calls.get(String(toolCallId));
      if (sessionUpdate === "tool_call_update" && status === "completed" && ran) heard.ran.push(ran);
      if (sessionUpdate === "agent_message_chunk")
        heard.last_message = String((content as Params).text).trim();
    },
  };
  /** As the runner reports it, and the client reads that. */
  const failed = (error: unknown) => {
    if (!(error instanceof RpcError)) throw error;
    const kind = kindOf(error.code, error.message);
    const hook = { hook_event_name: "StopFailure", session_id: "s", error: kind, last_assistant_message: "" };
    for (const it of client.read(hook)?.seen ?? []) if (it.type === "errored") heard.error = it.kind;
  };
  return { heard, on, failed };
}

/** opencode takes a reason along; ACP has no place for it. */
const reasonFor = (program: string) => (program === "opencode" ? { _meta: { reason: REASON } } : {});

export interface AcpLine {
  by: "oj" | "program";
  message: Params;
}

export function hearAcp(client: AgentClient, program: string) {
  return async (lines: AcpLine[]): Promise<Heard> => {
    const { heard, on, failed } = behindRunner(client, program);
    for (const run of runsOf(lines, ({ message }) => message.method === "initialize")) {
      const [input, output] = [new PassThrough(), new PassThrough()];
      let written = "";
      output.setEncoding("utf8").on("data", (part: string) => (written += part));
      const peer = startPeer(input, output, on);
      const pending: Promise<unknown>[] = [];
      for (const { by, message } of run) {
        const { method, params, id } = message;
        if (by === "program") input.write(`${JSON.stringify(message)}\n`);
        else if (typeof method === "string")
          pending.push(peer.request(method, params as Params).catch(failed));
        else {
          const ours = await until(() => resultOf(written, id), `an answer to ${id}`);
          heard.sent.push(ours);
          heard.recorded.push(message.result);
        }
      }
      await Promise.all(pending);
    }
    return heard;
  };
}

function resultOf(written: string, id: unknown): unknown {
  const lines = written
    .split("\n")
    .slice(0, -1)
    .map((it) => JSON.parse(it) as Params);
  return lines.find((it) => it.id === id && it.result !== undefined)?.result;
}

export interface ServerLine {
  event?: Params;
  call?: string;
  body?: unknown;
  answer?: unknown;
}

export function hearServer(client: AgentClient, program: string) {
  return async (lines: ServerLine[]): Promise<Heard> => {
    const { heard, on, failed } = behindRunner(client, program);
    for (const run of runsOf(lines, ({ event }) => event?.type === "server.connected")) {
      const server = await startRecorded(run, heard);
      const output = new PassThrough();
      const peer = startOpencode(output, { password: "x", prompt: {} }, on);
      output.write(`opencode server listening on ${server.url}\n`);
      const { sessionId } = (await peer.request("session/new", {})) as Params;
      await peer.request("session/prompt", { sessionId, prompt: [] }).catch(failed);
      server.close();
    }
    return heard;
  };
}

/** The server of one run: its events come as they came then, each answer of ours at its place. */
async function startRecorded(run: ServerLine[], heard: Heard): Promise<{ url: string; close(): void }> {
  const said: { call: string; body: unknown }[] = [];
  let events: http.ServerResponse | null = null;
  const isTurn = ({ call = "" }: ServerLine) => call.endsWith("/message");
  async function turn(): Promise<unknown> {
    for (const it of run) {
      if (it.event) events?.write(`data: ${JSON.stringify(it.event)}\n\n`);
      if (!it.call || isTurn(it) || it.call === "POST /session") continue;
      const ours = await until(() => said.find(({ call }) => call === it.call), it.call);
      if (!it.call.endsWith("/reply")) continue;
      heard.sent.push(ours.body);
      heard.recorded.push(it.body);
    }
    return run.find(isTurn)?.answer;
  }
  const server = http.createServer((request, response) => {
    if (request.url === "/event") {
      events = response;
      response.writeHead(200).flushHeaders();
      return;
    }
    let text = "";
    request.setEncoding("utf8").on("data", (part: string) => (text += part));
    request.on("end", async () => {
      const call = `${request.method} ${request.url}`;
      said.push({ call, body: JSON.parse(text || "null") });
      const answer = isTurn({ call }) ? await turn() : run.find((it) => it.call === call)?.answer;
      response.end(JSON.stringify(answer ?? true));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** A client was started for each of them. */
function runsOf<T>(lines: T[], begins: (line: T) => boolean): T[][] {
  const runs: T[][] = [];
  for (const line of lines) {
    if (begins(line)) runs.push([]);
    runs.at(-1)?.push(line);
  }
  return runs;
}
