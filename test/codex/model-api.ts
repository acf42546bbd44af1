/**
 * OpenAI's Responses API on loopback, playing scripts: the real Codex is tested against it. `#s:NAME` in a user message
 * chooses the script, and the number of the model's turns after it is the step; so resumed conversations work.
 */
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { Model } from "../specs/support/real-client.ts";

export type Step =
  | { text: string }
  | { tools: Tool[] }
  /** An HTTP error, once; then the next step. */
  | { status: number; next: Step };

/** Input that is a text belongs to a tool that takes no JSON. */
export interface Tool {
  name: string;
  input: object | string;
}

interface Item {
  type: string;
  role?: string;
  content?: { text?: string }[];
  output?: string;
}

export interface ModelApi extends Model {
  url: string;
  close(): Promise<void>;
}

export const text = (words: string): Step => ({ text: words });
export const tool = (name: string, input: object | string): Step => ({ tools: [{ name, input }] });
/** A command that the sandbox would not allow, so the client asks. */
export const bash = (cmd: string): Step =>
  tool("exec_command", { cmd, sandbox_permissions: "require_escalated", justification: "May I?" });

export async function startModelApi(scripts: Record<string, Step[]>): Promise<ModelApi> {
  const requests: ModelApi["requests"] = [];
  const failed = new Set<string>();

  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      if (request.method !== "POST" || !request.url?.endsWith("/responses")) {
        response.writeHead(404).end();
        return;
      }
      const { input } = JSON.parse(Buffer.concat(parts).toString("utf8")) as { input: Item[] };
      const isOwn = /^Generate a concise, .* title/.test(wordsOf(input.findLast((it) => it.role === "user")));
      const place = isOwn ? null : placeOf(input);
      if (!place) return stream(response, [message("A title")]);
      requests.push({ ...place, heard: heardIn(input), at: performance.now() });
      const step = scripts[place.script]?.[place.step] ?? text(`${place.script} has no step ${place.step}`);
      play(step, response, `${place.script} ${place.step}`);
    });
  });

  function play(step: Step, response: http.ServerResponse, name: string): void {
    if ("status" in step) {
      if (failed.has(name)) return play(step.next, response, name);
      failed.add(name);
      const error = { message: `scripted ${step.status}`, type: "scripted" };
      response.writeHead(step.status, { "content-type": "application/json" }).end(JSON.stringify({ error }));
      return;
    }
    stream(response, "text" in step ? [message(step.text)] : step.tools.map(callOf));
  }

  server.keepAliveTimeout = 600_000; // otherwise it hangs up just when a client may send its next request
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    heard: (script, step) =>
      requests.findLast((it) => it.script === script && it.step === step)?.heard ?? null,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const isModels = ({ type, role }: Item) =>
  (type === "message" && role === "assistant") || type === "function_call" || type === "custom_tool_call";

function placeOf(input: Item[]): { script: string; step: number } | null {
  const at = input.findLastIndex((it) => it.role === "user" && /#s:[\w-]+/.test(wordsOf(it)));
  const script = [...wordsOf(input[at]).matchAll(/#s:([\w-]+)/g)].at(-1)?.[1];
  if (script === undefined) return null;
  const after = input.slice(at + 1);
  // the calls of one turn are next to each other
  const turns = after.filter((it, n) => isModels(it) && !(n > 0 && isModels(after[n - 1] as Item)));
  return { script, step: turns.length };
}

/** What hooks add is a message of the developer's, before the results. */
function heardIn(input: Item[]): string {
  const said = input.slice(input.findLastIndex(isModels) + 1);
  return said.map((it) => it.output ?? wordsOf(it)).join("\n");
}

function wordsOf(item: Item | undefined): string {
  return (item?.content ?? []).map((it) => it.text ?? "").join("\n");
}

function message(words: string): object {
  return {
    type: "message",
    role: "assistant",
    id: id("msg"),
    content: [{ type: "output_text", text: words }],
  };
}

function callOf({ name, input }: Tool): object {
  const call = { call_id: id("call"), name };
  return typeof input === "string"
    ? { type: "custom_tool_call", ...call, input }
    : { type: "function_call", ...call, arguments: JSON.stringify(input) };
}

function stream(response: http.ServerResponse, items: object[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 };
  const answer = { id: id("resp"), output: items, usage };
  send("response.created", { response: { id: answer.id } });
  for (const [output_index, item] of items.entries())
    send("response.output_item.done", { output_index, item });
  send("response.completed", { response: answer });
  response.end();
}

function id(kind: string): string {
  return `${kind}_${Math.random().toString(36).slice(2)}`;
}
