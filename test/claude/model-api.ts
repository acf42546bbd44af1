/**
 * A model API on loopback that plays scripts: the real client is tested against it. `#s:NAME` in a user message chooses
 * the script, and the number of assistant messages after it is the step; so retries and resumed or parallel
 * conversations all work.
 */
import http from "node:http";
import type { AddressInfo } from "node:net";

export type Step =
  | { text: string }
  | { tools: Tool[]; text?: string }
  /** An HTTP error, `times` times (once by default), then the next step. */
  | { status: number; body?: object; times?: number; next: Step }
  | { delayMs: number; next: Step }
  /** Waits until the test says so. */
  | { after: Promise<void>; next: Step }
  /** Never answers. */
  | { hang: true }
  /** Depends on the request. */
  | ((request: ModelRequest) => Step);

export interface Tool {
  name: string;
  input: object;
}

export interface ModelRequest {
  model: string;
  messages: Message[];
  system?: unknown;
  tools?: { name: string }[];
  stream?: boolean;
}

interface Message {
  role: "user" | "assistant" | "system";
  content: string | Block[];
}

interface Block {
  type: string;
  text?: string;
  content?: string | Block[];
  is_error?: boolean;
  tool_use_id?: string;
}

export interface ModelApi {
  url: string;
  /** Every request so far that belonged to a script, oldest first. */
  requests: Asked[];
  /** The headers of every request for a message. */
  headers: http.IncomingHttpHeaders[];
  /** Everything that the model was told since its own last message, as one text: user text and tool results. */
  heard(script: string, step: number): string | null;
  close(): Promise<void>;
}

interface Asked {
  script: string;
  step: number;
  heard: string;
  request: ModelRequest;
  /** When it arrived, by `performance.now`. */
  at: number;
}

export const text = (words: string): Step => ({ text: words });
export const tool = (name: string, input: object): Step => ({ tools: [{ name, input }] });
export const bash = (command: string): Step => tool("Bash", { command, description: "a test" });

/** The client tells the model the path of the plan's file; writing the file and presenting it are two steps. */
export function plan(words: string): [Step, Step] {
  const write = (request: ModelRequest): Step => {
    const file = /\/[^\s"'`]*\/plans\/[A-Za-z0-9_-]+\.md/.exec(JSON.stringify(request.messages))?.[0];
    return file ? tool("Write", { file_path: file, content: words }) : text("I was told of no plan file.");
  };
  return [write, tool("ExitPlanMode", {})];
}

export async function startModelApi(scripts: Record<string, Step[]>): Promise<ModelApi> {
  const requests: Asked[] = [];
  const headers: http.IncomingHttpHeaders[] = [];
  const failures = new Map<string, number>();

  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      if (request.method !== "POST" || !request.url?.startsWith("/v1/messages")) {
        response.writeHead(request.method === "HEAD" ? 200 : 404).end();
        return;
      }
      if (request.url.startsWith("/v1/messages/count_tokens")) {
        response.writeHead(200, { "content-type": "application/json" }).end(`{"input_tokens":10}`);
        return;
      }
      headers.push(request.headers);
      answer(JSON.parse(Buffer.concat(parts).toString("utf8")) as ModelRequest, response);
    });
  });

  function answer(request: ModelRequest, response: http.ServerResponse): void {
    const place = placeOf(request.messages);
    // the client's own side question: for a title, or for what the person may want to say next
    const isAside = !request.tools?.length || heardIn(request.messages).includes("[SUGGESTION MODE:");
    if (!place || isAside) return play({ text: "ok" }, request, response, "");
    requests.push({ ...place, heard: heardIn(request.messages), request, at: performance.now() });
    const step = scripts[place.script]?.[place.step] ?? {
      text: `script ${place.script} has no step ${place.step}`,
    };
    play(step, request, response, `${place.script} ${place.step}`);
  }

  function play(step: Step, request: ModelRequest, response: http.ServerResponse, name: string): void {
    if (typeof step === "function") return play(step(request), request, response, name);
    if ("hang" in step) return;
    if ("delayMs" in step) {
      setTimeout(() => play(step.next, request, response, name), step.delayMs);
      return;
    }
    if ("after" in step) {
      void step.after.then(() => play(step.next, request, response, name));
      return;
    }
    if ("status" in step) {
      const failed = failures.get(name) ?? 0;
      if (failed >= (step.times ?? 1)) return play(step.next, request, response, name);
      failures.set(name, failed + 1);
      const body = step.body ?? {
        type: "error",
        error: { type: "scripted", message: `scripted ${step.status}` },
      };
      response.writeHead(step.status, { "content-type": "application/json" }).end(JSON.stringify(body));
      return;
    }
    const blocks = [
      ...(step.text === undefined ? [] : [{ type: "text", text: step.text }]),
      ...("tools" in step ? step.tools.map((it) => ({ type: "tool_use", id: id("toolu"), ...it })) : []),
    ];
    const stop = "tools" in step ? "tool_use" : "end_turn";
    if (request.stream) stream(response, request.model, blocks, stop);
    else {
      const message = { ...envelope(request.model), content: blocks, stop_reason: stop };
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(message));
    }
  }

  // otherwise it hangs up after five seconds, just when a client may send its next request
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    headers,
    heard: (script, step) =>
      requests.findLast((it) => it.script === script && it.step === step)?.heard ?? null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function placeOf(messages: Message[]): { script: string; step: number } | null {
  for (let i = messages.length - 1; i >= 0; i--) {
    const message = messages[i];
    if (message?.role !== "user") continue;
    const script = userText(message).findLast((it) => /#s:\w/.test(it));
    const name = script && [...script.matchAll(/#s:([\w-]+)/g)].at(-1)?.[1];
    if (name) return { script: name, step: messages.slice(i).filter((it) => it.role === "assistant").length };
  }
  return null;
}

function userText({ content }: Message): string[] {
  if (typeof content === "string") return [content];
  return content.flatMap((it) => (it.type === "text" ? [it.text ?? ""] : []));
}

/** The client's own reminders are system messages too; of those, only what a hook said counts. */
function heardIn(messages: Message[]): string {
  const last = messages.findLastIndex((it) => it.role === "assistant");
  const said = messages.slice(last + 1).flatMap((it) => {
    const texts = spoken(it);
    return it.role === "system" ? texts.filter((text) => text.includes("hook additional context")) : texts;
  });
  return said.join("\n");
}

function spoken({ content }: Message): string[] {
  if (typeof content === "string") return [content];
  return content.flatMap((it) => {
    if (it.type === "text") return [it.text ?? ""];
    if (it.type !== "tool_result") return [];
    const said =
      typeof it.content === "string"
        ? it.content
        : (it.content ?? []).map((part) => part.text ?? "").join("\n");
    return [`${it.is_error ? "[error] " : ""}${said}`];
  });
}

function stream(
  response: http.ServerResponse,
  model: string,
  blocks: Record<string, unknown>[],
  stop: string,
): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  send("message_start", { message: { ...envelope(model), content: [], stop_reason: null } });
  for (const [index, block] of blocks.entries()) {
    const isText = block.type === "text";
    send("content_block_start", {
      index,
      content_block: isText ? { type: "text", text: "" } : { ...block, input: {} },
    });
    const delta = isText
      ? { type: "text_delta", text: block.text }
      : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
    send("content_block_delta", { index, delta });
    send("content_block_stop", { index });
  }
  send("message_delta", { delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 5 } });
  send("message_stop", {});
  response.end();
}

function envelope(model: string): object {
  const usage = {
    input_tokens: 10,
    output_tokens: 1,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
  return { id: id("msg"), type: "message", role: "assistant", model, stop_sequence: null, usage };
}

function id(kind: string): string {
  return `${kind}_${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`.slice(0, 30);
}
